import { itemsOf } from '../values/lists.ts'
import { isMapping } from '../values/mapping.ts'
import { Duration, Optional, Unsigned } from '../values/scalars.ts'
import type { FunctionTable, Run } from './row.ts'

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true
  if (value instanceof Unsigned) return value.value === 0n
  if (value instanceof Duration) return value.nanoseconds === 0n
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof Optional) return !value.hasValue
  const items = itemsOf(value)
  return items === undefined ? isMapping(value) && value.size === 0 : items.length === 0
}

function at(place: 0 | -1): Run {
  return (list: unknown) => {
    const items = itemsOf(list) ?? []
    return items.length === 0 ? Optional.none : Optional.of(items.at(place))
  }
}

function unwrapped(list: unknown): unknown[] {
  const items = (itemsOf(list) ?? []) as Optional[] // ensured by the signature
  return items.filter((one) => one.hasValue).map((one) => one.value)
}

/**
 * Placeholder for functions that the evaluator implements: the other value is evaluated only if the
 * optional is empty.
 */
const planned: Run = () => undefined

/** Functions for optionals. Source: the language's optional types. */
export const optionals: FunctionTable = {
  'optional.of': { forms: { 'A optional(A)': (value: unknown) => Optional.of(value) } },
  'optional.ofNonZeroValue': {
    forms: {
      'A optional(A)': (value: unknown) => (isZero(value) ? Optional.none : Optional.of(value)),
    },
  },
  'optional.none': { forms: { ' optional(A)': () => Optional.none } },
  'optional.unwrap': { forms: { 'list(optional(A)) list(A)': unwrapped } },
  unwrapOpt: { forms: { '.list(optional(A)) list(A)': unwrapped } },
  value: { forms: { '.optional(A) A': (optional: Optional) => optional.value } },
  hasValue: { forms: { '.optional(A) bool': (optional: Optional) => optional.hasValue } },
  or: { forms: { '.optional(A),optional(A) optional(A)': planned } },
  orValue: { forms: { '.optional(A),A A': planned } },
  first: { forms: { '.list(A) optional(A)': at(0) } },
  last: { forms: { '.list(A) optional(A)': at(-1) } },
}
