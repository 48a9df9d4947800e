import { sortInPlace } from '../collections/sortInPlace.ts'
import { isObject } from './isObject.ts'
import { setMember } from './plainMembers.ts'

/** Value with the members of all objects sorted by name, as Go writes maps. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers)
  return isObject(value) ? withSortedNames(value, (name) => sortedMembers(value[name])) : value
}

/** Object with the names of `value` in order, and a member for each. */
export function withSortedNames<T>(
  value: Record<string, unknown>,
  member: (name: string) => T,
): Record<string, T> {
  const sorted: Record<string, T> = {}
  // Names are nearly always in order.
  const names = sortInPlace(Object.keys(value), (one, other) => (one < other ? -1 : 1))
  for (const name of names) setMember(sorted, name, member(name))
  return sorted
}
