import { badRequest } from './statusErrors.ts'

/** Stands in a body for an object or a list that nests deeper than the server's own steps can follow. Where it is dropped
 *  nobody minds; whoever looks into it, copies or encodes it refuses the request.
 *  @throws StatusError 400, from every look into what it gives. */
export function deepContent(of: object): object {
  const isList = Array.isArray(of)
  const get = () => {
    throw exceededDepth(isList ? '[' : '{')
  }
  const stand = isList ? [] : {}
  Object.defineProperty(stand, deep, { value: true })
  return Object.defineProperty(stand, isList ? 0 : 'content', { enumerable: true, get })
}

export function isDeepContent(value: object): boolean {
  return deep in value
}

/** The words of the library's JSON decoder at the bracket that is one too many. Source: reference 1.12. */
export function exceededDepth(bracket: string): Error {
  return badRequest(`invalid character '${bracket}' exceeded max depth`)
}

const deep = Symbol('deep content')
