import type { FieldType, ListType, MapType } from '../typed/fieldType.ts'
import { leaf, nodeOf, type FieldSet } from './fieldSet.ts'
import { indexItems } from '../typed/listItems.ts'
import { formOf, isEmptyMap, isFields, type Fields } from '../typed/typedValue.ts'

/**
 * The fields in a configuration, owned by its applier: all leaves, items of sets and map lists, entries of maps with
 * free keys, and empty maps. Declared fields that only contain others are not included.
 * @throws TypedValueError for an item without a path element.
 * Source: structured-merge-diff, "ToFieldSet".
 */
export function ownedFields(value: unknown, type: FieldType): FieldSet {
  return owned(value, type).below
}

interface Owned {
  below: FieldSet
  /** True if the value is owned as a whole. */
  isWhole: boolean
}

const whole: Owned = { below: leaf, isWhole: true }
const nothing: Owned = { below: leaf, isWhole: false }

function owned(value: unknown, type: FieldType): Owned {
  const form = formOf(value, type)
  switch (form?.form) {
    case 'map':
      if (form.isAtomic) return whole
      return isFields(value) ? ownedInMap(value, form) : nothing
    case 'list':
      if (form.isAtomic) return whole
      return Array.isArray(value) ? ownedInList(value, form) : nothing
    case 'scalar':
      return whole
    case undefined:
      return nothing
  }
}

function ownedInMap(value: Fields, map: MapType): Owned {
  const children = new Map<string, FieldSet>()
  for (const [name, member] of Object.entries(value)) {
    const field = map.fields.get(name)
    const type = field?.type ?? map.elements
    if (member === undefined || type === undefined) continue
    const { below, isWhole } = owned(member, type)
    const isMember = isWhole || field === undefined || isBlank(member)
    const node = asNode(below, isMember)
    if (node !== undefined) children.set(field?.element ?? `f:${name}`, node)
  }
  return { below: nodeOf(children, false), isWhole: false }
}

function isBlank(value: unknown): boolean {
  return value === null || (isFields(value) && isEmptyMap(value))
}

function ownedInList(value: readonly unknown[], list: ListType): Owned {
  const children = new Map<string, FieldSet>()
  for (const [element, items] of indexItems(value, list)) {
    // Duplicates are owned together, as one value.
    const below = items.length > 1 ? leaf : owned(items[0], list.items).below
    children.set(element, asNode(below, true) ?? leaf)
  }
  return { below: nodeOf(children, false), isWhole: false }
}

/** Converts a root to a node. */
function asNode(below: FieldSet, isMemberToo: boolean): FieldSet | undefined {
  const children = Object.entries(below)
  if (children.length === 0) return isMemberToo ? leaf : undefined
  return isMemberToo ? { '.': leaf, ...below } : below
}
