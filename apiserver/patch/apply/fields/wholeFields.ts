import { sortInPlace } from '../../../meta/collections/sortInPlace.ts'
import { leaf, nodeOf, type FieldSet } from './fieldSet.ts'
import type { FieldType, ListType, MapType, ScalarType } from '../typed/fieldType.ts'
import { compareStrings } from '../typed/goText.ts'
import { indexItems } from '../typed/listItems.ts'
import { formOf, isEmptyMap, isFields, noForm, TypedValueError } from '../typed/typedValue.ts'
import { scalarProblem } from '../typed/validateTyped.ts'

/**
 * The node of a value that was added or removed as a whole: itself and everything in it down to the leaves.
 * @throws TypedValueError for a value that does not match its type.
 * Source: structured-merge-diff, comparison of a value with nothing.
 */
export function wholeFields(value: unknown, type: FieldType): FieldSet {
  const form = formOf(value, type)
  if (form === undefined) throw noForm()
  if (form.form === 'scalar') return wholeScalar(value, form)
  // Null matches every type.
  if (value === null || value === undefined) return leaf
  return form.form === 'map' ? wholeMap(value, form) : wholeList(value, form)
}

function wholeScalar(value: unknown, scalar: ScalarType): FieldSet {
  const problem = scalarProblem(value, scalar)
  if (problem !== undefined) throw new TypedValueError([problem])
  return leaf
}

function wholeMap(value: unknown, { isAtomic, fields, elements }: MapType): FieldSet {
  if (!isFields(value)) throw new TypedValueError(['expected map'])
  if (isAtomic || isEmptyMap(value)) return leaf
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

function wholeList(value: unknown, list: ListType): FieldSet {
  if (!Array.isArray(value)) throw new TypedValueError(['expected list'])
  if (list.isAtomic || value.length === 0) return leaf
  const children = new Map<string, FieldSet>()
  for (const [element, items] of indexItems(value, list)) {
    children.set(element, items.length > 1 ? leaf : wholeFields(items[0], list.items))
  }
  return nodeOf(children, true)
}
