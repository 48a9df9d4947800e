import { partitionPoint } from '../meta/collections/partitionPoint.ts'
import { isObject } from '../meta/json/isObject.ts'
import { identity, inElementOrder } from './elementOrder.ts'
import { plainError, unprocessable } from '../meta/statusErrors.ts'
import { goValue } from './apply/typed/goText.ts'
import { directive, unknownDirective } from './strategicDirectives.ts'
import { type Fields } from './strategicSchema.ts'

export interface ListMerge {
  /** The member that identifies items of both lists; undefined for lists of scalars. */
  mergeKey: string | undefined
  mergeItems: (old: Fields, next: Fields) => Fields
}

/**
 * Merges `patch` into `original`, in the order of the patch; other items keep their position.
 * @throws StatusError for lists that cannot be merged. Source: reference 3.9.
 */
export function mergeLists(
  original: readonly unknown[],
  patch: readonly unknown[],
  merge: ListMerge,
): unknown[] {
  const all = [...original, ...patch]
  checkTypes(original, patch)
  if (!all.some(isObject)) {
    return inElementOrder(union(original, patch), patch, { live: original, mergeKey: undefined })
  }
  const { mergeKey } = merge
  if (mergeKey === undefined) throw plainError('cannot merge lists without merge key for struct')
  const items = patch.filter(isObject)
  for (const item of items) checkDirective(item, mergeKey)
  const content = items.filter((item) => directive(item) === undefined)
  if (items.some((item) => directive(item) === 'replace')) return content
  const kept = withoutDeleted(original, items, mergeKey)
  const merged = mergeByKey(kept, content, mergeKey, merge.mergeItems)
  return inElementOrder(merged, content, { live: original, mergeKey })
}

/** Checks that all items have one type other than a list. Nulls may only be first. @throws StatusError */
function checkTypes(...lists: readonly (readonly unknown[])[]): void {
  let before: string | undefined
  for (const item of lists.flat(1)) {
    const type = item === null ? undefined : typeOf(item)
    before ??= type
    if (before === 'list') throw unprocessable(new Error('lists of lists are not supported'))
    if (before !== type) throw plainError(`list element types are not identical: ${goValue(lists)}`)
  }
}

/** Go decoder's type of a value. */
function typeOf(item: unknown): string {
  if (Array.isArray(item)) return 'list'
  if (typeof item !== 'number') return typeof item === 'bigint' ? 'integer' : typeof item
  return Number.isInteger(item) ? 'integer' : 'float'
}

function union(original: readonly unknown[], patch: readonly unknown[]): unknown[] {
  return [...new Set([...original, ...patch])]
}

/** Checks a directive. @throws StatusError for an unknown one, or one without a key. */
function checkDirective(item: Fields, mergeKey: string): void {
  switch (directive(item)) {
    case undefined:
    case 'replace':
      return
    case 'delete':
      if (!(mergeKey in item)) throw missingKey(item, mergeKey)
      return
    case 'merge':
      throw plainError('merging lists cannot yet be specified in the patch')
    default:
      throw unknownDirective(item)
  }
}

function withoutDeleted(
  original: readonly unknown[],
  patch: readonly Fields[],
  mergeKey: string,
): unknown[] {
  const deletions = patch.filter((item) => directive(item) === 'delete')
  const deleted = new Set(deletions.map((item) => identity(item[mergeKey])))
  return original.filter((item) => !isObject(item) || !deleted.has(identity(item[mergeKey])))
}

function mergeByKey(
  original: readonly unknown[],
  patch: readonly Fields[],
  mergeKey: string,
  mergeItems: ListMerge['mergeItems'],
): unknown[] {
  const result = [...original]
  const places = new KeyPlaces()
  for (const [at, item] of result.entries()) if (isObject(item)) places.add(item[mergeKey], at)
  for (const item of patch) {
    if (!(mergeKey in item)) throw missingKey(item, mergeKey)
    const key = item[mergeKey]
    const at = places.first(key) ?? result.length
    const old = result[at]
    const merged = mergeItems(isObject(old) ? old : {}, item)
    result[at] = merged
    places.move(isObject(old) ? key : undefined, merged[mergeKey], at)
  }
  return result
}

/** Positions of the items of a keyed list. Items without a key are never found. */
class KeyPlaces {
  /** Ascending positions by the identity of the key. */
  readonly #places = new Map<unknown, number[]>()

  first(key: unknown): number | undefined {
    return this.#places.get(identity(key))?.[0]
  }

  add(key: unknown, at: number): void {
    if (key === undefined) return
    const name = identity(key)
    const places = this.#places.get(name)
    if (places === undefined) this.#places.set(name, [at])
    else {
      const index = partitionPoint(0, places.length, (one) => (places[one] ?? at) < at)
      places.splice(index, 0, at)
    }
  }

  /**
   * Records that the first item with the key `before`, or a new one if that is undefined, now has the key `after`:
   * merging may change a key that is null or a list.
   */
  move(before: unknown, after: unknown, at: number): void {
    if (identity(before) === identity(after)) return
    if (before !== undefined) this.#places.get(identity(before))?.shift()
    this.add(after, at)
  }
}

function missingKey(item: Fields, mergeKey: string): Error {
  return plainError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`)
}
