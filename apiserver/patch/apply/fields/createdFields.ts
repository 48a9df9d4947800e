import { sortInPlace } from '../../../meta/collections/sortInPlace.ts'
import { isEmpty, type FieldSet } from './fieldSet.ts'
import type { FieldType, MapType } from '../typed/fieldType.ts'
import { compareStrings } from '../typed/goText.ts'
import { isEmptyMap, isFields, member, typeOfField, type Fields } from '../typed/typedValue.ts'
import { isUntracked } from '../managers/untrackedFields.ts'
import { wholeFields } from './wholeFields.ts'

/**
 * The fields owned by the creator of `next`: the result of comparing it with `empty`, in one pass and without untracked
 * fields. Undefined: the comparison is needed. `empty` contains the same strings as `next`, or empty maps.
 * @throws TypedValueError for an object that does not match its type.
 */
export function createdFields(
  next: Fields,
  empty: Fields,
  { map }: FieldType,
): FieldSet | undefined {
  if (map === undefined) return undefined
  const set: Record<string, FieldSet> = {}
  const names = Object.keys(next).filter((name) => next[name] !== member(empty, name))
  for (const name of sortInPlace(names, compareStrings)) {
    const [value, before] = [next[name], member(empty, name)]
    if (value === undefined) continue
    const [type, element] = [typeOfField(map, name), elementOf(map, name)]
    if (before === undefined) {
      set[element] = wholeFields(value, type)
      continue
    }
    const below = fieldsBelow(element, before, value, type)
    if (below === undefined) return undefined
    if (!isEmpty(below)) set[element] = below
  }
  return set
}

/**
 * The fields of a struct that exists before it has any content: its creator owns its fields, but not the struct itself.
 */
function fieldsBelow(
  parent: string,
  before: unknown,
  value: unknown,
  { map }: FieldType,
): FieldSet | undefined {
  if (map === undefined || map.isAtomic) return undefined
  if (!isFields(before) || !isEmptyMap(before) || !isFields(value)) return undefined
  const nodes = new Map<string, FieldSet>()
  const names: string[] = []
  for (const name in value) {
    if (value[name] === undefined) continue
    const node = wholeFields(value[name], typeOfField(map, name))
    if (isUntracked(parent, elementOf(map, name))) continue
    names.push(name)
    nodes.set(name, node)
  }
  const set: Record<string, FieldSet> = {}
  for (const name of sortInPlace(names, compareStrings)) {
    set[elementOf(map, name)] = nodes.get(name) ?? {}
  }
  return set
}

function elementOf({ fields }: MapType, name: string): string {
  return fields.get(name)?.element ?? `f:${name}`
}
