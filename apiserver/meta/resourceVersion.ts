import { invalidField } from './fieldErrors.ts'
import { integerProblem, parseUint64 } from './json/integers.ts'
import { badRequest, plainError } from './statusErrors.ts'

/**
 * The revision of a client's resourceVersion. 0 represents both "" and "0"; if the difference matters (a list without
 * one is consistent, a list at "0" may be stale), check the string. Above 2^53 the number is rounded, which is harmless
 * because such a revision is in the future of any store. Undefined: not a decimal uint64.
 * Source: Kubernetes API concepts, "Resource versions"; reference 4.3.
 */
export function parseResourceVersion(text: string): number | undefined {
  if (text === '') return 0
  const revision = parseUint64(text)
  return revision === undefined ? undefined : Number(revision)
}

/**
 * The revision of a list request.
 * @throws StatusError 400
 */
export function listResourceVersion(text: string): number {
  const revision = parseResourceVersion(text)
  if (revision !== undefined) return revision
  throw badRequest(`invalid resource version: ${resourceVersionProblem(text)}`)
}

/**
 * The revision of a get or a watch. The code is the real server's, which does not interpret the error.
 * @throws StatusError 500 without a reason
 */
export function readResourceVersion(text: string): number {
  const revision = parseResourceVersion(text)
  if (revision !== undefined) return revision
  throw plainError(resourceVersionProblem(text))
}

/**
 * Compares revisions: negative, 0 or positive if `a` is older than, equal to or newer than `b`. Both are canonical:
 * decimal, without leading zeros, of any length. Source: the resource version helper of client-go.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

function resourceVersionProblem(text: string): string {
  const { field, message } = invalidField(
    'resourceVersion',
    text,
    integerProblem('ParseUint', text),
  )
  return `${field}: ${message}`
}
