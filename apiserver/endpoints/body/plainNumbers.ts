import { isObject } from '../../meta/json/isObject.ts'
import { NumberLiteral } from '../../meta/json/numberLiteral.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * Copy of a type-checked value with plain numbers in place of literals. Quantities keep the string: `1e3` stays
 * unchanged. Source: apimachinery, Quantity.
 */
export function plainNumbers(value: unknown, schema: Schema | undefined): unknown {
  if (value instanceof NumberLiteral)
    return schema?.canonical === 'quantity' ? String(value) : value.toJSON()
  if (Array.isArray(value)) return value.map((item) => plainNumbers(item, schema?.items))
  if (!isObject(value)) return value
  const { properties, additionalProperties } = schema ?? {}
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined
      return [name, plainNumbers(member, known ?? additionalProperties)]
    }),
  )
}
