import { isObject } from './isObject.ts'
import { setMember } from './plainMembers.ts'

/** Value with the members of all objects sorted by name, as Go writes maps. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers)
  return isObject(value) ? withSortedNames(value, (name) => sortedMembers(value[name])) : value
}

/** Object with the names of `value` in order, and a member for each. */
export function withSortedNames(
  value: Record<string, unknown>,
  member: (name: string) => unknown,
): Record<string, unknown> {
  const sorted: Record<string, unknown> = {}
  for (const name of Object.keys(value).toSorted()) setMember(sorted, name, member(name))
  return sorted
}
