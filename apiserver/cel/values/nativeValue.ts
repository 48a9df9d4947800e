import { entriesOf, isMapping } from './mapping.ts'
import { itemsOf } from './lists.ts'
import { durationText, momentText } from './moments.ts'
import { typeNameOf } from './kinds.ts'
import { Duration, Optional, Timestamp, Unsigned } from './scalars.ts'
import { visit, visiting } from './visits.ts'

/**
 * Value of an expression as JSON. @throws Error for a key that is not a string, and for a value
 * that JSON cannot represent; CostExceeded for a value with too many parts.
 */
export function nativeValue(value: unknown): unknown {
  return visiting(() => native(value))
}

function native(value: unknown): unknown {
  visit()
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Optional) return value.hasValue ? native(value.value) : null
  if (value instanceof Unsigned) return Number(value.value)
  if (value instanceof Timestamp) return momentText(value)
  if (value instanceof Duration) return durationText(value.nanoseconds)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  const items = itemsOf(value)
  if (items !== undefined) return items.map(native)
  if (!isMapping(value)) throw new Error(`type conversion not supported for '${typeNameOf(value)}'`)
  const members = [...entriesOf(value)].map(([key, one]): [string, unknown] => {
    if (typeof key !== 'string') {
      throw new Error(`unsupported type conversion from '${typeNameOf(key)}' to string`)
    }
    return [key, native(one)]
  })
  return Object.fromEntries(members)
}
