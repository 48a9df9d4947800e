import { isObject } from '../../meta/json/isObject.ts'
import { exactInteger, isWhole } from '../../meta/json/integers.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * Copy of a value with integers truncated to the size of their type, as in the conversion of maps to Go structs.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function wrappedIntegers(value: unknown, schema: Schema): unknown {
  const { type, format, items, properties, additionalProperties } = schema
  if (type === 'integer' && isWhole(value)) return wrapped(value, format)
  if (Array.isArray(value) && items !== undefined)
    return value.map((item) => wrappedIntegers(item, items))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined
      const inner = known ?? additionalProperties
      return [name, inner === undefined ? member : wrappedIntegers(member, inner)]
    }),
  )
}

/** Integer of 64 bits, or its low 32 bits. A larger float becomes the smallest integer. */
function wrapped(value: number | bigint, format: string | undefined): number | bigint {
  const whole = BigInt(value)
  const long = BigInt.asIntN(64, whole) === whole ? whole : -(2n ** 63n)
  return exactInteger(format === 'int32' ? BigInt.asIntN(32, long) : long)
}
