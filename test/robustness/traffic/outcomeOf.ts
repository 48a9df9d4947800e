import type { Outcome } from '../../conformance/linearizability/objectModel.ts'
import { seenOf, type ApiObject } from './apiObjects.ts'
import type { Answer } from './connection.ts'

/** Responses of a server whose storage fails, is overloaded or is full: the result of a write is unknown. */
export function isOfFault({ status, text }: Answer): boolean {
  if ([429, 503, 504].includes(status)) return true
  return status === 500 && /etcd|deadline|timed? ?out|unavailable|connect|space/i.test(text)
}

/** Outcome of a request for one object. `report` is called with an unexplained response. */
export function outcomeOf(answer: Answer, report: (text: string) => void): Outcome {
  const { status, text } = answer
  if (isOfFault(answer)) return { kind: 'unknown' }
  const body = parsed(text)
  if (status < 300 && body !== undefined)
    return body.kind === 'Status' ? { kind: 'done' } : { kind: 'done', ...seenOf(body) }
  if (status === 404) return { kind: 'absent' }
  if (status === 409) return { kind: body?.reason === 'AlreadyExists' ? 'exists' : 'conflict' }
  report(`${status} ${text}`)
  return { kind: 'unknown' }
}

/** Parsed JSON; undefined: invalid. */
export function parsed(text: string): ApiObject | undefined {
  try {
    return JSON.parse(text) as ApiObject // What is read of it is what every object has.
  } catch {
    return undefined
  }
}
