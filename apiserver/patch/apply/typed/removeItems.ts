import { below, has, isEmpty, type FieldSet } from '../fields/fieldSet.ts'
import type { FieldType, ListType, MapType } from './fieldType.ts'
import { itemElement } from './listItems.ts'
import { setMember } from '../../../meta/json/plainMembers.ts'
import { formOf, isFields, type Fields } from './typedValue.ts'

/**
 * `value` without the fields and items of a set. A map or list that becomes empty is null.
 * Source: structured-merge-diff, "RemoveItems".
 */
export function removeItems(value: unknown, set: FieldSet, type: FieldType): unknown {
  const form = formOf(value, type)
  switch (form?.form) {
    case 'map':
      return isFields(value) && !form.isAtomic ? fromMap(value, set, form) : null
    case 'list':
      return Array.isArray(value) && !form.isAtomic ? fromList(value, set, form) : null
    case 'scalar':
      return value
    case undefined:
      return null
  }
}

function fromMap(value: Fields, set: FieldSet, map: MapType): unknown {
  const kept: Fields = {}
  let count = 0
  for (const [name, member] of Object.entries(value)) {
    const field = map.fields.get(name)
    const element = field?.element ?? `f:${name}`
    if (member === undefined || has(set, [element])) continue
    const type = field?.type ?? map.elements
    const subset = below(set, element)
    const isWhole = isEmpty(subset) || type === undefined
    setMember(kept, name, isWhole ? member : removeItems(member, subset, type))
    count++
  }
  return count === 0 ? null : kept
}

function fromList(value: readonly unknown[], set: FieldSet, list: ListType): unknown {
  const kept = value.flatMap((item, index) => {
    const element = itemElement(item, list, index)
    if (has(set, [element])) return []
    const subset = below(set, element)
    return [isEmpty(subset) ? item : removeItems(item, subset, list.items)]
  })
  return kept.length === 0 ? null : kept
}
