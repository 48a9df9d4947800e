import { Duration, Timestamp, Unsigned } from './scalars.ts'
import { entriesOf, isMapping } from './mapping.ts'
import { itemsOf } from './lists.ts'
import { visiting, visitText } from './visits.ts'

/**
 * String that is equal for equal values only; numbers of all types are compared by value. @throws
 * CostExceeded for a value with too many parts.
 */
export function celKey(value: unknown): string {
  return typeof value === 'object' ? visiting(() => keyOf(value)) : keyText(value)
}

function keyOf(value: unknown): string {
  return visitText(keyText(value))
}

function keyText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `n${value}`
  if (typeof value === 'number') return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`
  if (value instanceof Unsigned) return `n${value.value}`
  if (value instanceof Timestamp) return `t${value.nanoseconds}`
  if (value instanceof Duration) return `d${value.nanoseconds}`
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  const items = itemsOf(value)
  if (items !== undefined) return `[${items.map(keyOf).join(',')}]`
  if (!isMapping(value)) return String(value)
  const entries = [...entriesOf(value)].map(([key, one]) => `${keyOf(key)}:${keyOf(one)}`)
  return `{${entries.sort().join(',')}}`
}
