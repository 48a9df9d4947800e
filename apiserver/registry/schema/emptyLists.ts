import { setMember } from '../../meta/json/plainMembers.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * Replaces empty lists by null if null represents an absent list: both are equal when stored, but
 * rules and managed fields, which are computed earlier, distinguish them. Changes `value`, which is
 * canonical.
 * Source: Go, protobuf of a nil slice.
 */
export function dropEmptyLists(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return dropInList(value, schema)
  if (typeof value === 'object' && value !== null) dropInMembers(value, schema)
  return value
}

function dropInList(list: readonly unknown[], { items, zero }: Schema): unknown {
  if (list.length === 0) return zero === null ? null : list
  if (items?.properties !== undefined) for (const item of list) dropEmptyLists(item, items)
  return list
}

function dropInMembers(value: object, { properties = {}, additionalProperties }: Schema): void {
  const members = value as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    if (typeof member !== 'object') continue
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (field === undefined) continue
    const stored = dropEmptyLists(member, field)
    if (stored !== member) setMember(members, name, stored)
  }
}
