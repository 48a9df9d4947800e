import { isObject } from '../meta/isObject.ts'
import { isDeepStrictEqual } from 'node:util'
import { inElementOrder } from './elementOrder.ts'
import { plainError, unprocessable } from '../meta/statusErrors.ts'
import { directive, plainMembers } from './strategicDirectives.ts'
import { type Fields } from './strategicSchema.ts'

export interface ListMerge {
  /** The member by which items of both lists are matched; undefined for lists of scalars. */
  mergeKey: string | undefined
  mergeItems: (old: Fields, next: Fields) => Fields
}

/** `patch` merged into `original`, in the order of the patch; what it does not name keeps its place among the rest.
 *  @throws StatusError for lists that cannot be merged. Source: reference 3.9. */
export function mergeLists(
  original: readonly unknown[],
  patch: readonly unknown[],
  merge: ListMerge,
): unknown[] {
  const all = [...original, ...patch]
  if (all.some((item) => Array.isArray(item)))
    throw unprocessable(new Error('lists of lists are not supported'))
  if (!all.some(isObject)) {
    return inElementOrder(union(original, patch), patch, { live: original, mergeKey: undefined })
  }
  const { mergeKey } = merge
  if (mergeKey === undefined) throw plainError('cannot merge lists without merge key for struct')
  const items = patch.filter(isObject)
  const content = items.filter((item) => directive(item) === undefined)
  if (items.some((item) => directive(item) === 'replace')) return content
  const kept = original.filter((item) => !isDeleted(item, items, mergeKey))
  const merged = mergeByKey(kept, content, mergeKey, merge.mergeItems)
  return inElementOrder(merged, content, { live: original, mergeKey })
}

function union(original: readonly unknown[], patch: readonly unknown[]): unknown[] {
  return [...new Set([...original, ...patch])]
}

function isDeleted(item: unknown, patch: readonly Fields[], mergeKey: string): boolean {
  return patch.some((other) => {
    if (directive(other) !== 'delete') return false
    if (!(mergeKey in other)) throw missingKey(plainMembers(other), mergeKey)
    return isObject(item) && isDeepStrictEqual(item[mergeKey], other[mergeKey])
  })
}

function mergeByKey(
  original: readonly unknown[],
  patch: readonly Fields[],
  mergeKey: string,
  mergeItems: ListMerge['mergeItems'],
): unknown[] {
  const result = [...original]
  for (const item of patch) {
    if (!(mergeKey in item)) throw missingKey(item, mergeKey)
    const at = result.findIndex(
      (old) => isObject(old) && isDeepStrictEqual(old[mergeKey], item[mergeKey]),
    )
    const old = result[at]
    if (isObject(old)) result[at] = mergeItems(old, item)
    else result.push(mergeItems({}, item))
  }
  return result
}

function missingKey(item: Fields, mergeKey: string): Error {
  const members = Object.entries(item).map(
    ([name, value]) => `${name}:${String(JSON.stringify(value))}`,
  )
  return plainError(
    `map: map[${members.join(' ')}] does not contain declared merge key: ${mergeKey}`,
  )
}
