import { addToGroup } from '../../../meta/collections/groupBy.ts'
import type { ListType } from './fieldType.ts'
import { keyElement, valueElement } from '../fields/pathElement.ts'
import { isFields, member, TypedValueError } from './typedValue.ts'

/**
 * The path element of an item of a set or a map list.
 * @throws TypedValueError for an item that has none.
 * Source: structured-merge-diff, path elements of associative lists.
 */
export function itemElement(item: unknown, list: ListType, index: number): string {
  const problem = list.keys.length > 0 ? keyedProblem(item, list) : setProblem(item)
  if (problem !== undefined) throw new TypedValueError([`element ${index}: ${problem}`])
  if (!isFields(item)) return valueElement(item)
  const keys: [string, unknown][] = []
  for (const name of list.keys) {
    const own = member(item, name)
    const value = own === undefined ? list.keyDefaults.get(name) : own
    if (value !== undefined) keys.push([name, value])
  }
  if (keys.length > 0) return keyElement(keys)
  const names = `[${list.keys.map((name) => JSON.stringify(name)).join(' ')}]`
  throw new TypedValueError([
    `element ${index}: associative list with keys has an element that omits all key fields ${names} ` +
      `(and doesn't have default values for any key fields)`,
  ])
}

function keyedProblem(item: unknown, list: ListType): string | undefined {
  if (item === null) return 'associative list with keys may not have a null element'
  if (!isFields(item)) return 'associative list with keys may not have non-map elements'
  const missing = list.keys.find((name) => member(item, name) === undefined)
  return missing !== undefined && list.items.map === undefined
    ? `couldn't find default value for ${missing}: associative list may not have non-map types`
    : undefined
}

function setProblem(item: unknown): string | undefined {
  if (item === null) return "associative list without keys has an element that's an explicit null"
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements'
  return isFields(item)
    ? "associative list without keys has an element that's a map type"
    : undefined
}

/** The items of a list by element, in order; several for one element if the list has duplicates. */
export function indexItems(items: readonly unknown[], list: ListType): Map<string, unknown[]> {
  const index = new Map<string, unknown[]>()
  items.forEach((item, position) => {
    addToGroup(index, itemElement(item, list, position), item)
  })
  return index
}
