import { badRequest, plainError } from '../meta/statusErrors.ts'
import { goValue } from './apply/typed/goText.ts'
import type { Fields } from './strategicSchema.ts'

const deletePrefix = '$deleteFromPrimitiveList/'
const orderPrefix = '$setElementOrder/'

/** Reports whether a member of a patch is a directive rather than content. */
export function isDirective(name: string): boolean {
  return (
    name === '$patch' ||
    name === '$retainKeys' ||
    name.startsWith(deletePrefix) ||
    name.startsWith(orderPrefix)
  )
}

/** Value of `$patch`; undefined: absent. */
export function directive(patch: Fields): unknown {
  return patch['$patch']
}

/** The error for an unknown `$patch`. */
export function unknownDirective(patch: Fields): Error {
  return plainError(`unknown patch type: ${asText(directive(patch))} in map: ${goValue(patch)}`)
}

/** Formats a value, which need not be a string, as `%s`. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return '%!s(<nil>)'
  if (typeof value === 'boolean') return `%!s(bool=${value})`
  return Number.isInteger(value) ? `%!s(int64=${goValue(value)})` : goValue(value)
}

export function plainMembers(patch: Fields): Fields {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !isDirective(name)))
}

export interface Directives {
  /** Fields to keep; undefined: all. */
  retainKeys: unknown[] | undefined
  /** Values to remove from lists of scalars, by field. */
  deletions: [string, unknown[]][]
  /** The order of merged lists, by field. */
  orders: [string, unknown[]][]
}

/** The directives of one map of a patch. @throws StatusError BadRequest for a malformed one. */
export function directivesOf(patch: Fields): Directives {
  const found: Directives = { retainKeys: undefined, deletions: [], orders: [] }
  for (const [name, value] of Object.entries(patch)) {
    if (name === '$retainKeys') found.retainKeys = list(value, 'invalid patch format of retainKeys')
    if (name.startsWith(deletePrefix)) {
      const values = list(value, 'invalid patch format of primitive list')
      found.deletions.push([name.slice(deletePrefix.length), values])
    }
    if (name.startsWith(orderPrefix)) {
      const order = list(value, 'invalid patch format of setElementOrder list')
      found.orders.push([name.slice(orderPrefix.length), order])
    }
  }
  return found
}

function list(value: unknown, problem: string): unknown[] {
  if (!Array.isArray(value)) throw badRequest(problem)
  return value
}

/** The error for a patch with a field that is missing in its `$retainKeys`. */
export function retainKeysMismatch(): Error {
  return badRequest('invalid patch format of retainKeys')
}
