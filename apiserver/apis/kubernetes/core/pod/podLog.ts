import { forbiddenField } from '../../../../meta/fieldErrors.ts'
import { integerProblem, parseInt64 } from '../../../../meta/json/integers.ts'
import { badRequest, invalid } from '../../../../meta/statusErrors.ts'
import { notNegative, positive } from '../../../fieldChecks.ts'

/** Checks the options of a request for the log of a pod, before anyone asks for the pod.
 *  @throws StatusError 400 for what is no number, 422 for what is out of range.
 *  Source: Kubernetes API reference, "read log of the specified Pod"; the real server's answers. */
export function checkLogOptions(query: URLSearchParams, name: string): void {
  // In the order in which they are read, which is another than that of the checks.
  const sinceSeconds = integer(query, 'sinceSeconds')
  const tailLines = integer(query, 'tailLines')
  const limitBytes = integer(query, 'limitBytes')
  const errors = [
    ...notNegative('tailLines', tailLines),
    ...positive('limitBytes', limitBytes),
    ...positive('sinceSeconds', sinceSeconds),
  ]
  if ((query.get('sinceTime') ?? '') !== '' && query.has('sinceSeconds')) {
    errors.push(
      forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'),
    )
  }
  if (query.has('stream')) errors.push(forbiddenField('stream', 'may not be specified'))
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, name, errors)
}

function integer(query: URLSearchParams, option: string): number | undefined {
  const text = query.get(option)
  if (text === null) return undefined
  const value = parseInt64(text)
  if (value === undefined) throw badRequest(integerProblem('ParseInt', text))
  return Number(value)
}
