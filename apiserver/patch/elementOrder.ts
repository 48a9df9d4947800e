import { isObject } from '../meta/isObject.ts'
import { isDeepStrictEqual } from 'node:util'

export interface ElementOrderOptions {
  /** The list before the patch: items that the order does not name keep their place among its items. */
  live: readonly unknown[]
  /** undefined for lists of scalars. */
  mergeKey: string | undefined
}

/** `list` with the items that `order` names in that order. The others stay before those of the named items that they
 *  stood before in the live list. Source: Kubernetes, the directive `$setElementOrder`. */
export function inElementOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  { live, mergeKey }: ElementOrderOptions,
): unknown[] {
  const rankIn = (items: readonly unknown[], item: unknown) =>
    items.findIndex((other) => isDeepStrictEqual(keyOf(other, mergeKey), keyOf(item, mergeKey)))
  const byRank = (items: readonly unknown[]) => (a: unknown, b: unknown) =>
    rankIn(items, a) - rankIn(items, b)
  const named = list.filter((item) => rankIn(order, item) >= 0).sort(byRank(order))
  const others = list.filter((item) => rankIn(order, item) < 0).sort(byRank(live))

  const result: unknown[] = []
  while (named.length > 0 || others.length > 0) {
    const [nextOther, nextNamed] = [rankIn(live, others[0]), rankIn(live, named[0])]
    const otherFirst =
      named.length === 0 ||
      (others.length > 0 && nextNamed >= 0 && nextOther >= 0 && nextOther < nextNamed)
    result.push(otherFirst ? others.shift() : named.shift())
  }
  return result
}

function keyOf(item: unknown, mergeKey: string | undefined): unknown {
  return mergeKey !== undefined && isObject(item) ? item[mergeKey] : item
}
