import { repeats } from '../../../meta/collections/repeats.ts'
import { setMember } from '../../../meta/json/plainMembers.ts'
import type { FieldType, ListType, MapType } from './fieldType.ts'
import { itemElement } from './listItems.ts'
import { mergedOrder } from './mergedOrder.ts'
import {
  formOf,
  isEmptyList,
  isEmptyMap,
  isFields,
  member,
  TypedValueError,
  typeOfField,
  type Fields,
} from './typedValue.ts'

/**
 * Merges `config` into `live`: nothing is removed, and leaves of `config` take precedence. Neither argument is changed;
 * the result shares parts with both. Undefined means absent.
 * Source: structured-merge-diff, "Merge".
 */
export function mergeTyped(live: unknown, config: unknown, type: FieldType): unknown {
  if (config === undefined) return live
  if (live === undefined) return config
  const form = formOf(config, type)
  switch (form?.form) {
    case 'map':
      return form.isAtomic ? config : mergeMaps(live, config, form)
    case 'list':
      return form.isAtomic ? config : mergeLists(live, config, form)
    case 'scalar':
    case undefined:
      return config
  }
}

function mergeMaps(live: unknown, config: unknown, map: MapType): unknown {
  if (isEmptyMap(live) && isEmptyMap(config)) return config
  const [old, next] = [isFields(live) ? live : {}, isFields(config) ? config : {}]
  const merged: Fields = {}
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)])) {
    const type = typeOfField(map, name)
    const value = mergeTyped(member(old, name), member(next, name), type)
    if (value !== undefined) setMember(merged, name, value)
  }
  return merged
}

function mergeLists(live: unknown, config: unknown, list: ListType): unknown {
  if (isEmptyList(live) && isEmptyList(config)) return config
  const old = elementsOf(live, list)
  const next = elementsOf(config, list)
  const byElement = (elements: readonly string[], items: unknown) =>
    new Map(elements.map((element, index) => [element, Array.isArray(items) ? items[index] : null]))
  const [oldItems, nextItems] = [byElement(old, live), byElement(next, config)]
  if (nextItems.size < next.length) throw new TypedValueError(['duplicate entries'])
  // A duplicate item is not merged: the new one replaces the first.
  const isRepeated = repeats(old)
  old.forEach((element, at) => isRepeated[at] === true && oldItems.set(element, null))
  return mergedOrder(old, next).map(({ element, liveIndex }) =>
    liveIndex !== undefined && Array.isArray(live)
      ? (live[liveIndex] as unknown)
      : mergeTyped(oldItems.get(element), nextItems.get(element), list.items),
  )
}

function elementsOf(value: unknown, list: ListType): string[] {
  const items: unknown[] = Array.isArray(value) ? value : []
  return items.map((item, index) => itemElement(item, list, index))
}
