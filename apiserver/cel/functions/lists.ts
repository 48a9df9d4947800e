import type { Environment } from '@marcbachmann/cel-js'
import { registerHandlers, tooCostly, mostMade, withinCost } from './handlers.ts'
import { celKey } from './values.ts'

class SetsNamespace {}
class ListsNamespace {}

type List = Iterable<unknown>

/** Source: the language's extended libraries of sets and lists, as Kubernetes loads them. */
export function registerLists(environment: Environment): void {
  environment.registerType('SetsNamespace', SetsNamespace)
  environment.registerConstant('sets', 'SetsNamespace', new SetsNamespace())
  environment.registerType('ListsNamespace', ListsNamespace)
  environment.registerConstant('lists', 'ListsNamespace', new ListsNamespace())
  registerHandlers(environment, {
    'SetsNamespace.contains(list<T>, list<T>): bool': (_of: unknown, all: List, some: List) =>
      hasAll(all, some),
    'SetsNamespace.equivalent(list<T>, list<T>): bool': (_of: unknown, a: List, b: List) =>
      hasAll(a, b) && hasAll(b, a),
    'SetsNamespace.intersects(list<T>, list<T>): bool': (_of: unknown, a: List, b: List) => {
      const known = keysOf(a)
      return [...b].some((item) => known.has(celKey(item)))
    },
    'ListsNamespace.range(int): list<int>': (_of: unknown, count: bigint) => range(count),
    'list.slice(int, int): list<dyn>': slice,
    'list.distinct(): list<dyn>': distinct,
    'list.reverse(): list<dyn>': (list: List) => [...list].reverse(),
    'list.sort(): list<dyn>': (list: List) => [...list].sort(compareValues),
    'list.flatten(): list<dyn>': (list: List) => withinCost([...list].flat()),
    'list.flatten(int): list<dyn>': (list: List, depth: bigint) => {
      if (depth < 0n) throw new Error('level must be non-negative')
      return withinCost([...list].flat(Number(depth)))
    },
  })
}

function keysOf(list: List): Set<string> {
  return new Set([...list].map(celKey))
}

function hasAll(all: List, some: List): boolean {
  const known = keysOf(all)
  return [...some].every((item) => known.has(celKey(item)))
}

function range(count: bigint): bigint[] {
  if (count > BigInt(mostMade)) throw tooCostly()
  return Array.from({ length: Math.max(0, Number(count)) }, (_, at) => BigInt(at))
}

function slice(list: List, from: bigint, to: bigint): unknown[] {
  const items = [...list]
  if (from < 0n || to < 0n)
    throw new Error(`cannot slice(${from}, ${to}), negative indexes not supported`)
  if (from > to)
    throw new Error(
      `cannot slice(${from}, ${to}), start index must be less than or equal to end index`,
    )
  if (to > BigInt(items.length))
    throw new Error(`cannot slice(${from}, ${to}), list is length ${items.length}`)
  return items.slice(Number(from), Number(to))
}

/** The first of each. */
function distinct(list: List): unknown[] {
  const found = new Map<string, unknown>()
  for (const item of list) {
    const key = celKey(item)
    if (!found.has(key)) found.set(key, item)
  }
  return [...found.values()]
}

type Comparable = bigint | number | string | boolean | Date

export function compareValues(a: unknown, b: unknown): number {
  if (!isComparable(a) || !isComparable(b)) throw new Error('list elements must be comparable')
  return a < b ? -1 : a > b ? 1 : 0
}

function isComparable(value: unknown): value is Comparable {
  return ['bigint', 'number', 'string', 'boolean'].includes(typeof value) || value instanceof Date
}
