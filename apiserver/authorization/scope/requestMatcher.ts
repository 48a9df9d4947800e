import type { ScopedRequest } from './scopedRequest.ts'

/** Reports whether one entry of a scope covers a request. */
export type RequestMatcher = (request: ScopedRequest) => boolean

/**
 * Reports whether a pattern in a scope, a name or `*`, covers the subject of a request. A request
 * for all subjects (`*`) is only covered by `*`; a request without a subject is never covered.
 */
export function covers(pattern: string | undefined, subject: string | undefined): boolean {
  if (pattern === undefined || pattern === '' || subject === undefined) return false
  return pattern === '*' || pattern === subject
}
