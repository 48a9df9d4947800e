import * as costs from '../cost/actualCosts.ts'
import * as estimates from '../cost/estimates.ts'
import { celKey } from '../values/celKey.ts'
import { compared } from '../values/comparison.ts'
import { typeNameOf } from '../values/kinds.ts'
import { itemsOf } from '../values/lists.ts'
import type { CelMap } from '../values/celMap.ts'
import { entriesOf, type Mapping } from '../values/mapping.ts'
import { Duration, int64, uint64, Unsigned } from '../values/scalars.ts'
import { CostExceeded } from '../values/costExceeded.ts'
import { visit } from '../values/visits.ts'
import { each, mostMade, withinCost, type FunctionTable, type Run } from './row.ts'

const comparable = [
  ...['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'],
]

/** Signatures of a list method, one for each type of ordered items. */
function ofComparable(result: (type: string) => string, run: Run): Record<string, Run> {
  return each(
    comparable.map((type) => `.list(${type}) ${result(type)}`),
    run,
  )
}

function isSorted(list: unknown): boolean {
  const items = itemsOf(list) ?? []
  return items.every((item, at) => at === 0 || compared(items[at - 1], item) <= 0)
}

function sumOf<T>(zero: T, add: (sum: T, item: T) => T): Run {
  return (list: unknown) => ((itemsOf(list) ?? []) as T[]).reduce(add, zero) // ensured by the signature
}

function best(name: string, isBetter: (difference: number) => boolean): Run {
  return (list: unknown) => {
    const [first, ...rest] = itemsOf(list) ?? []
    if (first === undefined) throw new Error(`${name} called on empty list`)
    return rest.reduce((found, item) => (isBetter(compared(item, found)) ? item : found), first)
  }
}

function range(count: bigint): bigint[] {
  if (count < 0n) throw new Error(`lists.range: size must be non-negative, got ${count}`)
  if (count > BigInt(mostMade)) throw new CostExceeded()
  return Array.from({ length: Number(count) }, (_, at) => BigInt(at))
}

function slice(list: unknown, from: bigint, to: bigint): unknown[] {
  const items = itemsOf(list) ?? []
  const told = (why: string) => new Error(`cannot slice(${from}, ${to}), ${why}`)
  if (from < 0n || to < 0n) throw told('negative indexes not supported')
  if (from > to) throw told('start index must be less than or equal to end index')
  if (to > BigInt(items.length)) throw told(`list is length ${items.length}`)
  return items.slice(Number(from), Number(to))
}

function flattened(list: unknown, depth: bigint): unknown[] {
  if (depth < 0n) throw new Error('level must be non-negative')
  const result: unknown[] = []
  flatten(list, depth, result)
  return withinCost(result)
}

function flatten(list: unknown, depth: bigint, result: unknown[]): void {
  for (const item of itemsOf(list) ?? []) {
    visit()
    if (depth === 0n || itemsOf(item) === undefined) result.push(item)
    else flatten(item, depth - 1n, result)
  }
}

/** List without repeated items; the first of equal items is kept. */
function distinct(list: unknown): unknown[] {
  const found = new Map<string, unknown>()
  for (const item of itemsOf(list) ?? []) {
    const key = celKey(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}

function sorted(list: unknown, by: unknown): unknown[] {
  const keys = itemsOf(by) ?? []
  const [first] = keys
  for (const key of keys) {
    if (!comparable.includes(shortName(key))) throw new Error('list elements must be comparable')
    if (shortName(key) !== shortName(first))
      throw new Error('list elements must have the same type')
  }
  const items = (itemsOf(list) ?? []).map((item, at) => ({ item, key: keys[at] }))
  return items.sort((a, b) => compared(a.key, b.key)).map(({ item }) => item)
}

function shortName(value: unknown): string {
  return typeNameOf(value)
    .replace(/^google\.protobuf\./, '')
    .toLowerCase()
}

function hasAll(all: unknown, some: unknown): boolean {
  const known = keysOf(all)
  return (itemsOf(some) ?? []).every((item) => known.has(celKey(item)))
}

function keysOf(list: unknown): ReadonlySet<string> {
  return new Set((itemsOf(list) ?? []).map(celKey))
}

function hasAny(one: unknown, other: unknown): boolean {
  const known = keysOf(one)
  return (itemsOf(other) ?? []).some((item) => known.has(celKey(item)))
}

const traversed = { cost: costs.traversal, estimate: estimates.traversed }
const sets = { cost: costs.crossed(1), estimate: estimates.sets(1) }

/**
 * Functions for lists. Source: Kubernetes documentation, "CEL in Kubernetes", Kubernetes list library; the language's
 * extended libraries of lists, version 3, and of sets.
 */
export const lists: FunctionTable = {
  isSorted: { forms: ofComparable(() => 'bool', isSorted), ...traversed },
  sum: {
    forms: {
      '.list(int) int': sumOf(0n, (sum, item) => int64(sum + item)),
      '.list(uint) uint': sumOf(new Unsigned(0n), (sum, item) => uint64(sum.value + item.value)),
      '.list(double) double': sumOf(0, (sum, item) => sum + item),
      '.list(duration) duration': sumOf(
        new Duration(0n),
        (sum, item) => new Duration(int64(sum.nanoseconds + item.nanoseconds)),
      ),
    },
    ...traversed,
  },
  min: {
    forms: ofComparable(
      (type) => type,
      best('min', (difference) => difference < 0),
    ),
    ...traversed,
  },
  max: {
    forms: ofComparable(
      (type) => type,
      best('max', (difference) => difference > 0),
    ),
    ...traversed,
  },
  slice: {
    forms: { '.list(A),int,int list(A) #slice': slice },
    cost: costs.madeList,
    estimate: estimates.sliced,
  },
  flatten: {
    forms: {
      '.list(list(A)) list(A) #flatten': (list: unknown) => flattened(list, 1n),
      '.list(dyn),int list(dyn) #flatten': flattened,
    },
    cost: costs.flattened,
    estimate: estimates.flattened,
  },
  sort: {
    forms: Object.fromEntries(
      comparable.map((type) => [
        `.list(${type}) list(${type}) #sort`,
        (list: unknown) => sorted(list, list),
      ]),
    ),
    cost: costs.comparedAmong,
    estimate: estimates.sorted,
  },
  '@sortByAssociatedKeys': {
    forms: each(
      comparable.map((type) => `.list(A),list(${type}) list(A) #sortBy`),
      sorted,
    ),
    cost: costs.sortedByKeys,
    estimate: estimates.sortedByKeys,
  },
  'lists.range': {
    forms: { 'int list(int) #range': range },
    cost: costs.madeList,
    estimate: estimates.ranged,
  },
  reverse: {
    forms: {
      '.list(A) list(A) #reverse': (list: unknown) => [...(itemsOf(list) ?? [])].reverse(),
    },
    cost: costs.madeList,
    estimate: estimates.madeAsLong,
  },
  distinct: {
    forms: { '.list(A) list(A) #distinct': distinct },
    cost: costs.comparedAmong,
    estimate: estimates.distinct,
  },
  'cel.@mapInsert': {
    forms: {
      'map(A,B),A,B map(A,B)': (map: CelMap, key: unknown, value: unknown) =>
        map.with([[key, value]]),
      'map(A,B),map(A,B) map(A,B)': (map: CelMap, other: Mapping) => map.with(entriesOf(other)),
    },
  },
  'sets.contains': { forms: { 'list(A),list(A) bool #sets': hasAll }, ...sets },
  'sets.equivalent': {
    forms: {
      'list(A),list(A) bool #sameSets': (one: unknown, other: unknown) =>
        hasAll(one, other) && hasAll(other, one),
    },
    cost: costs.crossed(2),
    estimate: estimates.sets(2),
  },
  'sets.intersects': { forms: { 'list(A),list(A) bool #sets': hasAny }, ...sets },
}
