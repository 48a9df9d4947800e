import type { Schema } from '../meta/schema.ts'

/**
 * A copy of a canonical value with the schema's defaults for missing fields, in the schema's order. A missing struct is
 * only filled in if it has a default itself.
 */
export function withDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => withDefaults(item, items))
  }
  const { properties } = schema
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const given = new Map<string, unknown>(Object.entries(value))
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): [string, unknown][] => {
      const own = given.get(name) ?? structuredClone(property.default)
      return own === undefined ? [] : [[name, withDefaults(own, property)]]
    }),
  )
}
