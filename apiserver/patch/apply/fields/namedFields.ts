import { elementsOf, isMember, leaf, type FieldSet } from './fieldSet.ts'
import type { FieldType } from '../typed/fieldType.ts'

/**
 * `set` with each declared field that contains a member added as a member.
 * Source: structured-merge-diff, "EnsureNamedFieldsAreMembers".
 */
export function withNamedFields(set: FieldSet, type: FieldType | undefined): FieldSet {
  const result: Record<string, FieldSet> = {}
  for (const element of elementsOf(set)) {
    const node = set[element] ?? leaf
    const isNamed = element.startsWith('f:') && type?.map?.fields.has(element.slice(2)) === true
    const children = withNamedFields(node, typeBelow(type, element))
    result[element] = isMember(node) || isNamed ? asMember(children) : children
  }
  return result
}

/** The type below an element; undefined if the schema has none. */
function typeBelow(type: FieldType | undefined, element: string): FieldType | undefined {
  if (element.startsWith('f:')) {
    const name = element.slice(2)
    return type?.map?.fields.get(name)?.type ?? type?.map?.elements
  }
  return element.startsWith('k:') ? type?.list?.items : undefined
}

function asMember(children: FieldSet): FieldSet {
  return elementsOf(children).length === 0 ? leaf : { '.': leaf, ...children }
}
