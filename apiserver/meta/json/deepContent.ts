import { badRequest } from '../statusErrors.ts'

/** Stands in a body for an object or a list that nests deeper than the server's own steps can follow. Where it is dropped
 *  nobody minds; whoever looks into it, copies or encodes it refuses the request.
 *  @throws StatusError 400, from every look into what it gives. */
export function deepContent(bracket: '[' | '{'): object {
  const stand = bracket === '[' ? [] : {}
  Object.defineProperty(stand, deep, { value: true })
  const get = () => refuseDeepContent(stand)
  return Object.defineProperty(stand, 0, { enumerable: true, get })
}

export function isDeepContent(value: object): boolean {
  return deep in value
}

/** For those who look at the names of fields alone.
 *  @throws StatusError 400 */
export function refuseDeepContent(value: object): void {
  if (isDeepContent(value)) throw exceededDepth(Array.isArray(value) ? '[' : '{')
}

/** The words of the library's JSON decoder at the bracket that is one too many. Source: reference 1.12. */
export function exceededDepth(bracket: string): Error {
  return badRequest(`invalid character '${bracket}' exceeded max depth`)
}

const deep = Symbol('deep content')
