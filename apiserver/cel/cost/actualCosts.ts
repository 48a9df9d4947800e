import { itemsOf } from '../values/lists.ts'
import { entriesOf, isMapping } from '../values/mapping.ts'
import { Opaque, Optional } from '../values/scalars.ts'
import { visit } from '../values/visits.ts'

/**
 * Cost of a call with `args`, in which the receiver of a method comes first, and its `result`.
 * Source: Kubernetes documentation, "CEL in Kubernetes", "Resource constraints".
 */
export type Cost = (args: readonly unknown[], result: unknown) => number

const perCharacter = 0.1
const perPatternCharacter = 0.25
export const perList = 10

/** Size of a value in characters, bytes, items or members; 1 for values without a size. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return charactersOf(value)
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof Uint8Array) return value.length
  const items = itemsOf(value)
  if (items !== undefined) return items.length
  if (isMapping(value) || value instanceof Opaque) return value.size
  return 1
}

/** Number of characters; a surrogate pair counts as one. */
function charactersOf(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++
  return count
}

/** Number of values in an optional: 0 or 1. */
function sizeWithin(value: unknown): number {
  if (!(value instanceof Optional)) return sizeOf(value)
  return value.hasValue ? sizeWithin(value.value) : 1
}

/** Number of strings and numbers within a value. @throws CostExceeded for a value with too many parts. */
function traversed(value: unknown): number {
  visit()
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * perCharacter)
  if (value instanceof Uint8Array) return Math.floor(value.length * perCharacter)
  const items = itemsOf(value)
  if (items !== undefined) return items.reduce<number>((sum, one) => sum + traversed(one), 0)
  if (!isMapping(value)) return 1
  return [...entriesOf(value)].reduce<number>(
    (sum, [key, one]) => sum + traversed(key) + traversed(one),
    0,
  )
}

const isText = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array

export const traversal: Cost = ([first]) => traversed(first)
export const read: Cost = ([first]) => Math.ceil(sizeOf(first) * perCharacter)
export const readTwice: Cost = ([first]) => Math.ceil(sizeOf(first) * 2 * perCharacter)

export const searched: Cost = ([text, pattern]) =>
  Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter)

export const contained: Cost = ([text, other]) =>
  Math.ceil(sizeOf(text) * perCharacter) * Math.ceil(sizeOf(other) * perCharacter)

/** Cost of traversing the shorter of two values. */
export const shorter: Cost = ([a, b]) =>
  Math.ceil(Math.min(sizeWithin(a), sizeWithin(b)) * perCharacter)

export const added: Cost = ([a, b]) =>
  isText(a) ? Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter) : 1

export const found: Cost = ([, list]) => (itemsOf(list) === undefined ? 1 : sizeOf(list))

/** Cost of a conversion. Only strings and bytes are copied. */
export const converted: Cost = ([first], result) =>
  isText(first) && isText(result) && typeof first !== typeof result ? read([first], result) : 1

/** Cost of comparing an address with the prefix of a range. */
export const addressContained: Cost = ([range, other]) =>
  Math.ceil(2 * sizeOf(range) * perCharacter) + textCost(other)

export const rangeContained: Cost = ([range, other]) =>
  Math.ceil(2 * sizeOf(range) * perCharacter) +
  Math.ceil(sizeOf(range) * perCharacter) +
  1 +
  textCost(other)

function textCost(value: unknown): number {
  return typeof value === 'string' ? Math.ceil(sizeOf(value) * perCharacter) : 0
}

/** Cost of creating a list: its length. */
function made(size: number, factor = 1): number {
  return Math.floor(size * factor) + 1 + perList
}

export const madeList: Cost = (_args, result) => made(sizeOf(result))

export const flattened: Cost = ([list, depth]) =>
  made(sizeOf(list), depth === undefined ? 1 : Number(depth))

/** Cost of comparing each item with all others. */
export const comparedAmong: Cost = ([list]) => {
  const size = sizeOf(list)
  const [first] = itemsOf(list) ?? []
  return made(size * size, isText(first) ? 2 + perCharacter : 2)
}

/** Cost of sorting a list by keys. */
export const sortedByKeys: Cost = ([, keys]) => comparedAmong([keys], undefined)

export function crossed(factor: number): Cost {
  return ([a, b]) => 1 + Math.floor(sizeOf(a) * sizeOf(b) * factor)
}

/** Cost of a match: the length of the string times the length of the pattern. */
export function validated(patternCostOf: (format: unknown) => number): Cost {
  return ([format, text]) => Math.ceil((1 + sizeOf(text)) * perCharacter) * patternCostOf(format)
}
