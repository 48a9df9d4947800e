import { isEmpty, leaf, type FieldSet } from './fieldSet.ts'
import { deducedType, type FieldType, type MapType } from '../typed/fieldType.ts'

/**
 * Converts a set written under an older schema: values that became atomic are owned as a whole.
 * Returns the same set if nothing changed. The ownership of values that became granular is
 * unchanged.
 * Source: structured-merge-diff, "ReconcileFieldSetWithSchema".
 */
export function reconcileFields(set: FieldSet, type: FieldType): FieldSet {
  if (type.map === undefined || type.map.isAtomic) return set
  return reconcileBelow(set, type)
}

function reconcileBelow(node: FieldSet, type: FieldType): FieldSet {
  if (type.map !== undefined && isFree(type.map)) return node
  let changed: Record<string, FieldSet> | undefined
  for (const element in node) {
    const child = node[element]
    if (element === '.' || child === undefined || isEmpty(child)) continue
    const childType = typeOf(type, element)
    const next = childType === undefined ? child : reconcileNode(child, childType)
    if (next === child) continue
    changed ??= { ...node }
    changed[element] = next
  }
  return changed ?? node
}

function reconcileNode(node: FieldSet, type: FieldType): FieldSet {
  const { map, list } = type
  if (map !== undefined) {
    if (isFree(map)) return node
    return map.isAtomic ? leaf : reconcileBelow(node, type)
  }
  if (type.scalar !== undefined || list === undefined) return node
  return list.isAtomic ? leaf : reconcileBelow(node, type)
}

function typeOf({ map, list }: FieldType, element: string): FieldType | undefined {
  if (map === undefined) return list?.items
  return (
    (element.startsWith('f:') ? map.fields.get(element.slice(2))?.type : undefined) ?? map.elements
  )
}

/** Reports whether a map's schema is unknown, so that sets in it are not changed. */
function isFree({ fields, elements }: MapType): boolean {
  return fields.size === 0 && (elements === deducedType || elements?.scalar?.of === 'untyped')
}
