import type { ScopedRequest } from './scopedRequest.ts'

/** Whether one entry of a scope covers a request. */
export type RequestMatcher = (request: ScopedRequest) => boolean

/** Whether a pattern of a scope, a name or `*`, covers what a request is about. What is about all of them (`*`) is
 *  covered by `*` alone, what is about none by nothing. */
export function covers(pattern: string | undefined, subject: string | undefined): boolean {
  if (pattern === undefined || pattern === '' || subject === undefined) return false
  return pattern === '*' || pattern === subject
}
