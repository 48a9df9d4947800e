import { ChangedFields } from '../fields/changedFields.ts'
import type { FieldSet } from '../fields/fieldSet.ts'
import type { FieldType, Form, ListType, MapType, ScalarType } from './fieldType.ts'
import { indexItems } from './listItems.ts'
import {
  formOf,
  isEmptyList,
  isEmptyMap,
  isFields,
  member,
  noForm,
  sameValue,
  TypedValueError,
  typeOfField,
  type Fields,
} from './typedValue.ts'
import { scalarProblem } from './validateTyped.ts'
import { wholeFields } from '../fields/wholeFields.ts'

/** Differences between two values. The sets are disjoint. */
export interface Comparison {
  added: FieldSet
  modified: FieldSet
  removed: FieldSet
}

/**
 * Compares values field by field, as far as their types are granular; the order of items in sets and map lists is
 * ignored.
 * @throws TypedValueError for values that do not match the type.
 * Source: structured-merge-diff, "Compare".
 */
export function compareTyped(before: Fields, after: Fields, type: FieldType): Comparison {
  const comparer = new Comparer()
  comparer.compare(before, after, type)
  return comparer.result()
}

class Comparer {
  readonly #added = new ChangedFields()
  readonly #modified = new ChangedFields()
  readonly #removed = new ChangedFields()
  /** The current path. */
  readonly #path: string[] = []

  result(): Comparison {
    return {
      added: this.#added.toSet(),
      modified: this.#modified.toSet(),
      removed: this.#removed.toSet(),
    }
  }

  /** Compares two existing values: undefined is not allowed. */
  compare(before: unknown, after: unknown, type: FieldType): void {
    if (before === after) return
    const [formBefore, formAfter] = [formOf(before, type), formOf(after, type)]
    // Each form is compared only with values of its own form, as in the real library.
    if (formBefore !== formAfter) this.#compareAs(formBefore, before, after)
    this.#compareAs(formAfter, before, after)
  }

  #compareAs(form: Form | undefined, before: unknown, after: unknown): void {
    if (form === undefined) throw noForm()
    if (form.form === 'scalar') checkScalars(before, after, form)
    if (isOnePiece(form, before, after)) {
      if (!sameValue(before, after)) this.#modified.insert(this.#path)
    } else if (form.form === 'map') {
      this.#compareMaps(fieldsOf(before), fieldsOf(after), form)
    } else if (form.form === 'list') {
      this.#compareLists(itemsOf(before), itemsOf(after), form)
    }
  }

  #compareMaps(before: Fields, after: Fields, map: MapType): void {
    for (const name in before) {
      const [old, next] = [before[name], member(after, name)]
      if (old === undefined || old === next) continue
      const element = map.fields.get(name)?.element ?? `f:${name}`
      this.#compareMember(element, typeOfField(map, name), old, next)
    }
    for (const name in after) {
      if (after[name] === undefined || member(before, name) !== undefined) continue
      const element = map.fields.get(name)?.element ?? `f:${name}`
      this.#compareMember(element, typeOfField(map, name), undefined, after[name])
    }
  }

  #compareLists(before: readonly unknown[], after: readonly unknown[], list: ListType): void {
    if (sameValue(before, after)) return
    const [old, next] = [indexItems(before, list), indexItems(after, list)]
    for (const element of new Set([...old.keys(), ...next.keys()])) {
      this.#compareItems(element, list.items, [old.get(element) ?? [], next.get(element) ?? []])
    }
  }

  /** Compares items of one element: several on one side are duplicates, which count as one value. */
  #compareItems(element: string, type: FieldType, [old, next]: [unknown[], unknown[]]): void {
    const path = [...this.#path, element]
    if (old.length <= 1 && next.length <= 1) {
      this.#compareMember(element, type, old[0], next[0])
    } else if (old.length > 1 && next.length > 1) {
      if (!sameValue(old, next)) this.#modified.insert(path)
    } else if (old.length > 1) {
      if (next.length > 0) this.#compareMember(element, type, undefined, next[0])
      this.#removed.insert(path)
    } else {
      if (old.length > 0) this.#compareMember(element, type, old[0], undefined)
      this.#added.insert(path)
    }
  }

  #compareMember(element: string, type: FieldType, old: unknown, next: unknown): void {
    this.#path.push(element)
    if (old === undefined) this.#added.insert(this.#path, wholeFields(next, type))
    else if (next === undefined) this.#removed.insert(this.#path, wholeFields(old, type))
    else this.compare(old, next, type)
    this.#path.pop()
  }
}

/**
 * Reports whether values are compared as a whole: scalars, atomic maps and lists; and two empty ones, to distinguish
 * empty from null.
 */
function isOnePiece(form: Form, before: unknown, after: unknown): boolean {
  if (form.form === 'scalar' || form.isAtomic) return true
  const isEmpty = form.form === 'map' ? isEmptyMap : isEmptyList
  return isEmpty(before) && isEmpty(after)
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Checks that one of the sides matches, which is sufficient. */
function checkScalars(before: unknown, after: unknown, scalar: ScalarType): void {
  const [left, right] = [scalarProblem(before, scalar), scalarProblem(after, scalar)]
  if (left === undefined || right === undefined) return
  throw new TypedValueError([`lhs: ${left}`, `rhs: ${right}`])
}
