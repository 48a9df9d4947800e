import { forbiddenField } from '../../../../meta/fieldErrors.ts'
import { integerProblem, parseInt64 } from '../../../../meta/json/integers.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { readMoment } from '../../../../meta/moment.ts'
import { badRequest, invalid } from '../../../../meta/statusErrors.ts'
import { notNegative, positive } from '../../../fieldChecks.ts'

/** Validates the options of a log request before the pod is read.
 *  @throws StatusError 400 for a value that is not a number, 422 for one out of range. Source: Kubernetes API
 *  reference, "read log of the specified Pod"; the real server's answers. */
export function checkLogOptions(query: URLSearchParams, name: string): void {
  // In the order of parsing, which differs from that of validation.
  const sinceSeconds = integer(query, 'sinceSeconds')
  const tailLines = integer(query, 'tailLines')
  const limitBytes = integer(query, 'limitBytes')
  const sinceTime = query.get('sinceTime') ?? ''
  if (sinceTime !== '') checkTime(sinceTime)
  const errors = [
    ...notNegative('tailLines', tailLines),
    ...positive('limitBytes', limitBytes),
    ...positive('sinceSeconds', sinceSeconds),
  ]
  if (sinceTime !== '' && query.has('sinceSeconds')) {
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

const timeForm = '2006-01-02T15:04:05Z07:00'

/** Parts of a time, with their names in Go's layout. */
const timeParts: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d{2}/, '01'],
  [/^-/, '-'],
  [/^\d{2}/, '02'],
  [/^T/, 'T'],
  [/^\d{2}/, '15'],
  [/^:/, ':'],
  [/^\d{2}/, '04'],
  [/^:/, ':'],
  [/^\d{2}(?:[.,]\d+)?/, '05'],
  [/^(?:Z|[+-]\d{2}:\d{2})/, 'Z07:00'],
]

/** Checks a time. @throws StatusError 400 with the position of the error, in Go's wording. */
function checkTime(text: string): void {
  const refuse = (why: string) => {
    throw badRequest(`parsing time ${goQuote(text)}${why}`)
  }
  let rest = text
  for (const [part, name] of timeParts) {
    const [found] = part.exec(rest) ?? []
    if (found === undefined) {
      refuse(` as ${goQuote(timeForm)}: cannot parse ${goQuote(rest)} as ${goQuote(name)}`)
    }
    rest = rest.slice((found ?? '').length)
  }
  if (rest !== '') refuse(`: extra text: ${goQuote(rest)}`)
  else if (readMoment(text) === undefined) refuse(': day out of range')
}
