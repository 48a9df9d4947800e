import { isObject } from '../meta/isObject.ts'
import type { Schema } from '../meta/schema.ts'

/** Fills in the defaults of a schema where a value lacks them; changes `value`.
 *  Source: Kubernetes documentation, "Defaulting"; nulls that may not be were pruned before. */
export function fillDefaults(value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    const { items } = schema
    if (items !== undefined) for (const item of value) fillDefaults(item, items)
    return
  }
  if (!isObject(value)) return
  const { properties, additionalProperties } = schema
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (property.default !== undefined && !Object.hasOwn(value, name)) {
      value[name] = structuredClone(property.default)
    }
    if (Object.hasOwn(value, name)) fillDefaults(value[name], property)
  }
  if (additionalProperties === undefined) return
  for (const member of Object.values(value)) fillDefaults(member, additionalProperties)
}
