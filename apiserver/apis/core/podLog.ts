import { forbiddenField, invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import { integerProblem, parseInt64 } from '../../meta/integers.ts'
import { badRequest, invalid } from '../../meta/statusErrors.ts'

/** The numbers of a request for a log, in the order in which they are checked, and the least that each may be. */
const least = { tailLines: 0, limitBytes: 1, sinceSeconds: 1 } as const

/** Checks the options of a request for the log of a pod, before anyone asks for the pod.
 *  @throws StatusError 400 for what is no number, 422 for what is out of range.
 *  Source: Kubernetes API reference, "read log of the specified Pod"; the real server's answers. */
export function checkLogOptions(query: URLSearchParams, name: string): void {
  for (const option of ['sinceSeconds', 'tailLines', 'limitBytes']) integer(query, option)
  const errors: FieldError[] = []
  for (const [option, minimum] of Object.entries(least)) {
    const value = integer(query, option)
    if (value === undefined || value >= BigInt(minimum)) continue
    const why =
      minimum === 0 ? 'must be greater than or equal to 0' : `must be greater than ${minimum - 1}`
    errors.push(invalidField(option, Number(value), why))
  }
  if ((query.get('sinceTime') ?? '') !== '' && query.has('sinceSeconds')) {
    errors.push(
      forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'),
    )
  }
  if (query.has('stream')) errors.push(forbiddenField('stream', 'may not be specified'))
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors)
}

function integer(query: URLSearchParams, option: string): bigint | undefined {
  const text = query.get(option)
  if (text === null) return undefined
  const value = parseInt64(text)
  if (value === undefined) throw badRequest(integerProblem('ParseInt', text))
  return value
}
