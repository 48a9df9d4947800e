import { jsonText } from '../meta/json/exactJson.ts'
import { isObject } from '../meta/json/isObject.ts'

export interface ElementOrderOptions {
  /** The list before the patch: items missing in the order keep their position among its items. */
  live: readonly unknown[]
  /** Undefined for lists of scalars. */
  mergeKey: string | undefined
}

interface RankedItem {
  item: unknown
  /** First positions in the order and the live list; -1: absent. */
  inOrder: number
  inLive: number
}

/**
 * Sorts `list` by `order`. Items missing in `order` are kept before the items that they preceded in
 * the live list. Takes linear time, apart from the sorting.
 * Source: Kubernetes, the directive `$setElementOrder`.
 */
export function inElementOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  { live, mergeKey }: ElementOrderOptions,
): unknown[] {
  const [orderRanks, liveRanks] = [ranks(order, mergeKey), ranks(live, mergeKey)]
  const items = list.map((item): RankedItem => {
    const key = keyIdentity(item, mergeKey)
    return { item, inOrder: orderRanks.get(key) ?? -1, inLive: liveRanks.get(key) ?? -1 }
  })
  const named = items.filter(({ inOrder }) => inOrder >= 0)
  const others = items.filter(({ inOrder }) => inOrder < 0)
  named.sort((a, b) => a.inOrder - b.inOrder)
  others.sort((a, b) => a.inLive - b.inLive)
  return joined(named, others).map(({ item }) => item)
}

function joined(named: readonly RankedItem[], others: readonly RankedItem[]): RankedItem[] {
  const result: RankedItem[] = []
  let at = 0
  for (const next of named) {
    for (let other = others[at]; other !== undefined && isBefore(other, next); other = others[at]) {
      result.push(other)
      at += 1
    }
    result.push(next)
  }
  return [...result, ...others.slice(at)]
}

function isBefore(other: RankedItem, named: RankedItem): boolean {
  return other.inLive >= 0 && other.inLive < named.inLive
}

function ranks(items: readonly unknown[], mergeKey: string | undefined): Map<unknown, number> {
  const found = new Map<unknown, number>()
  for (const [rank, item] of items.entries()) {
    const key = keyIdentity(item, mergeKey)
    if (!found.has(key)) found.set(key, rank)
  }
  return found
}

function keyIdentity(item: unknown, mergeKey: string | undefined): unknown {
  // A null key of the patch is missing in the merged item.
  return identity(mergeKey !== undefined && isObject(item) ? (item[mergeKey] ?? null) : item)
}

/**
 * A scalar that is equal for two JSON values, or undefined, exactly if they are deeply equal. -0
 * differs from 0. A string represents itself; only strings that begin with NUL are marked, to
 * distinguish them from strings of other values.
 */
export function identity(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('\0') ? `\0"${value}` : value
  const isScalar = typeof value !== 'object' || value === null
  return isScalar && !Object.is(value, -0) ? value : `\0${canonicalText(value)}`
}

/** JSON with members sorted by name. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isObject(value)) return Object.is(value, -0) ? '-0' : String(jsonText(value))
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`)
  return `{${members.join()}}`
}
