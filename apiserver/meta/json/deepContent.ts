import { badRequest } from '../statusErrors.ts'

/**
 * A placeholder in a body for an object or a list nested too deeply for the server's algorithms. Dropping it has no
 * effect; code that inspects, copies or encodes it refuses the request.
 * @throws StatusError 400, from every access to the result.
 */
export function deepContent(bracket: '[' | '{'): object {
  const stand = bracket === '[' ? [] : {}
  Object.defineProperty(stand, deep, { value: true })
  const get = () => refuseDeepContent(stand)
  return Object.defineProperty(stand, 0, { enumerable: true, get })
}

export function isDeepContent(value: object): boolean {
  return deep in value
}

/**
 * Refuses deep content, for code that only reads field names.
 * @throws StatusError 400
 */
export function refuseDeepContent(value: object): void {
  if (isDeepContent(value)) throw exceededDepth(Array.isArray(value) ? '[' : '{')
}

/** The error of the library's JSON decoder at the first bracket beyond the limit. Source: reference 1.12. */
export function exceededDepth(bracket: string): Error {
  return badRequest(`invalid character '${bracket}' exceeded max depth`)
}

const deep = Symbol('deep content')
