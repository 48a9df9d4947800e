import { sortInPlace } from '../../../meta/collections/sortInPlace.ts'
import { leaf, nodeOf, type FieldSet } from './fieldSet.ts'
import type { FieldType, ListType, MapType, ScalarType } from '../typed/fieldType.ts'
import { compareStrings } from '../typed/goText.ts'
import { indexItems } from '../typed/listItems.ts'
import {
  formOf,
  isEmptyMap,
  isFields,
  noForm,
  TypedValueError,
  type Fields,
} from '../typed/typedValue.ts'
import { scalarProblem } from '../typed/validateTyped.ts'

/**
 * The node of a value that was added or removed as a whole: itself and everything in it down to the leaves.
 * @throws TypedValueError for a value that does not match its type.
 * Source: structured-merge-diff, comparison of a value with nothing.
 */
export function wholeFields(value: unknown, type: FieldType): FieldSet {
  const form = formOf(value, type)
  switch (form?.form) {
    case 'map':
      return form.isAtomic || !isFields(value) || isEmptyMap(value) ? leaf : wholeMap(value, form)
    case 'list':
      return form.isAtomic || !Array.isArray(value) || value.length === 0
        ? leaf
        : wholeList(value, form)
    case 'scalar':
      return wholeScalar(value, form)
    case undefined:
      throw noForm()
  }
}

function wholeScalar(value: unknown, scalar: ScalarType): FieldSet {
  const problem = scalarProblem(value, scalar)
  if (problem !== undefined) throw new TypedValueError([problem])
  return leaf
}

function wholeMap(value: Fields, { fields, elements }: MapType): FieldSet {
  const set: Record<string, FieldSet> = { '.': leaf }
  for (const name of sortInPlace(Object.keys(value), compareStrings)) {
    const member = value[name]
    if (member === undefined) continue
    const field = fields.get(name)
    const type = field?.type ?? elements
    if (type === undefined) throw noForm()
    set[field?.element ?? `f:${name}`] = wholeFields(member, type)
  }
  return set
}

function wholeList(value: readonly unknown[], list: ListType): FieldSet {
  const children = new Map<string, FieldSet>()
  for (const [element, items] of indexItems(value, list)) {
    children.set(element, items.length > 1 ? leaf : wholeFields(items[0], list.items))
  }
  return nodeOf(children, true)
}
