import type { Expr } from '../syntax/expr.ts'
import type { Overload } from '../types/signatures.ts'
import type { Path } from '../syntax/paths.ts'
import { replacedSize } from './replacedSize.ts'
import {
  fixed,
  largest,
  product,
  scaled,
  sum,
  unknownRange,
  wrapped,
  type Range,
} from './ranges.ts'
import { part, type CelType } from '../types/types.ts'

/** Argument of a call. */
export interface CostedValue {
  /** Expression; undefined: an item of another value. */
  expr: Expr | undefined
  type: CelType
  path: Path
  /** Size; undefined: unknown. */
  size: Range | undefined
}

export interface CostedCall {
  overload: Overload
  target: CostedValue | undefined
  args: readonly CostedValue[]
  /** Value that represents the items of a list. */
  itemOf: (list: CostedValue) => CostedValue
}

/** Cost of a call without its arguments. `size`: size of the result. */
export interface CallCost {
  cost: Range
  size?: Range
}

/** Estimates the cost of a call; undefined: the default cost. */
export type Coster = (call: CostedCall) => CallCost | undefined

/** Cost per character of a string or a pattern. */
const perCharacter = 0.1
const perPatternCharacter = 0.25

/** Cost of creating a list. */
const perList = fixed(10)

const longestFormatPattern = 128
const longestFormat = 64n

function sizeOf(value: CostedValue | undefined): Range {
  return value?.size ?? unknownRange
}

/** Coster of calls with a suitable target; other calls have the default cost. */
function ofTarget(cost: (target: CostedValue, call: CostedCall) => CallCost): Coster {
  return (call) => call.target && cost(call.target, call)
}

function ofFirst(cost: (size: Range, call: CostedCall) => CallCost): Coster {
  return (call) => (call.args[0] === undefined ? undefined : cost(sizeOf(call.args[0]), call))
}

export const read = ofFirst((size) => ({ cost: scaled(size, perCharacter) }))
export const readTwice = ofFirst((size) => ({ cost: scaled(size, 2 * perCharacter) }))
export const copied = ofTarget((target) => {
  const size = sizeOf(target)
  return { cost: scaled(size, perCharacter), size }
})

/** Cost of comparing each item, and each character of string items. */
export const traversed = ofTarget((target, { itemOf }) => {
  const size = sizeOf(target)
  if (target.type.of.length === 0) return { cost: scaled(size, perCharacter) }
  const item = itemOf(target)
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes'
  const each = isText ? sum(fixed(1), scaled(sizeOf(item), perCharacter)) : fixed(1)
  return { cost: product(size, each) }
})

/** Cost of a search; searching for an empty string has a cost too. */
function searched(text: Range, pattern: Range): Range {
  return product(scaled(sum(text, fixed(1)), perCharacter), scaled(pattern, perPatternCharacter))
}

export const found = ofTarget((target, { args }) => {
  const size = sizeOf(target)
  return { cost: searched(size, sizeOf(args[0])), size: { min: 0n, max: size.max } }
})

export const split = ofTarget((target, { args }) => {
  const size = sizeOf(target)
  const limit = args[1]?.expr
  const isKnown = limit?.is === 'literal' && typeof limit.value === 'bigint'
  const max = isKnown ? wrapped(limit.value as bigint) : size.max // as checked above
  return { cost: scaled(size, 2 * perCharacter), size: { min: 0n, max } }
})

export const joined = ofTarget((target, { args, itemOf }) => {
  const count = sizeOf(target)
  const isKnown = target.type.of.length > 0
  const items = isKnown ? product(count, sizeOf(itemOf(target))) : fixed(0)
  const before = (size: bigint) => (size > 0n ? size - 1n : 0n)
  const glues = { min: before(count.min), max: before(count.max) }
  const size = args[0] === undefined ? items : sum(items, product(sizeOf(args[0]), glues))
  return { cost: scaled(size, perCharacter), size }
})

export const replaced = ofTarget((target, { args: [from, to] }) => {
  const size = sizeOf(target)
  const made = replacedSize(size, sizeOf(from), sizeOf(to))
  return { cost: scaled(size, 2 * perCharacter), size: made }
})

/** Size of an address in bytes; a comparison with a range examines at most this many. */
const address: Range = { min: 4n, max: 16n }
const compared = scaled(sum(address, address), perCharacter)

function contained(base: Range): Coster {
  return ofFirst((size, { overload }) => {
    const isText = overload.id === 'containsText'
    return { cost: isText ? sum(base, scaled(size, perCharacter)) : base }
  })
}

const containedRange = sum(compared, scaled(address, perCharacter), fixed(1))

export const validated = ofFirst((size) => ({
  cost: scaled(scaled(size, perCharacter), longestFormatPattern * perPatternCharacter),
}))

/** Cost of comparing values of library types, by their actual size. */
const equal: Coster = ({ args: [left, right] }) => {
  if (left === undefined || left.type.name !== right?.type.name) return undefined
  const { name } = left.type
  if (['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver'].includes(name))
    return { cost: fixed(1) }
  if (name === 'kubernetes.NamedFormat')
    return { cost: scaled({ min: 1n, max: longestFormat }, perCharacter) }
  if (name !== 'kubernetes.URL') return undefined
  const { max } = right.size ?? fixed(1)
  return { cost: scaled({ min: 1n, max }, perCharacter) }
}

/** Cost of creating a list, whose size is the size of its items. */
function made(size: Range, factor = 1): CallCost {
  return { cost: sum(scaled(size, factor), fixed(1), perList), size }
}

function integerOf(value: CostedValue | undefined, otherwise: bigint): bigint {
  const { expr } = value ?? {}
  if (expr?.is !== 'literal' || typeof expr.value !== 'bigint') return otherwise
  return expr.value < 0n ? 0n : expr.value
}

/** Cost of sorting: each item is compared with all others; strings cost more. */
function sortedBy(list: CostedValue | undefined, { overload }: CostedCall): CallCost {
  const size = sizeOf(list)
  const keys = overload.args.at(-1)
  const { kind } = keys === undefined ? { kind: 'dyn' } : part(keys, 0)
  const isText = kind === 'string' || kind === 'bytes'
  return made(product(size, size), isText ? 2 + perCharacter : 2)
}

export function sets(factor: number): Coster {
  return ({ args: [a, b] }) => ({
    cost: sum(scaled(product(sizeOf(a), sizeOf(b)), factor), fixed(1)),
  })
}

export const affix = ofFirst((size) => ({ cost: scaled(size, perCharacter) }))

/** Cost of traversing the shorter of two values. */
export const shorter: Coster = ({ args: [a, b] }) => {
  const [left, right] = [sizeOf(a).max, sizeOf(b).max]
  const max = left < right ? left : right
  return { cost: scaled({ min: max > 0n ? 1n : 0n, max }, perCharacter) }
}

/**
 * Cost of a comparison. Both values are examined up to the length of the shorter, except for values
 * of library types.
 */
export const equals: Coster = (call) => equal(call) ?? shorter(call)

export const sliced = ofTarget((target, { args }) => {
  const to = integerOf(args[1], sizeOf(target).max)
  return made(fixed(wrapped(to - integerOf(args[0], 0n))))
})

export const ranged: Coster = ({ args }) => made(fixed(integerOf(args[0], largest)))

export const madeAsLong = ofTarget((target) => made(sizeOf(target)))

export const flattened = ofTarget((target, { args }) => {
  const depth = args.length === 1 ? integerOf(args[0], largest) : 1n
  return made(sizeOf(target), Number(depth))
})

export const distinct = ofTarget((target) => made(product(sizeOf(target), sizeOf(target)), 2))

export const sorted: Coster = (call) => sortedBy(call.target, call)
export const sortedByKeys: Coster = (call) => sortedBy(call.args[0], call)

export const formatted = ofTarget((target) => ({ cost: scaled(sizeOf(target), perCharacter) }))

export const textToBytes = ofFirst((size) => ({
  cost: scaled(size, perCharacter),
  size: { min: size.min, max: wrapped(size.max * 4n) },
}))

export const bytesToText = ofFirst((size) => ({
  cost: scaled(size, perCharacter),
  size: { min: size.min / 4n, max: size.max },
}))

export const quoted = ofFirst((size) => ({
  cost: scaled(size, perCharacter),
  size: { min: wrapped(size.min + 2n), max: wrapped(size.max * 2n + 2n) },
}))

export const inList: Coster = ({ args }) => ({ cost: scaled(sizeOf(args[1]), 1) })

export const matched = ofTarget((target, { args }) => ({
  cost: searched(sizeOf(target), sizeOf(args[0])),
}))

export const textContained = ofTarget((target, { args }) => ({
  cost: product(scaled(sizeOf(target), perCharacter), scaled(sizeOf(args[0]), perCharacter)),
}))

export const addedText: Coster = ({ args: [a, b] }) => {
  const size = sum(sizeOf(a), sizeOf(b))
  return { cost: scaled(size, perCharacter), size }
}

export const addedLists: Coster = ({ args: [a, b] }) => ({
  cost: fixed(1),
  size: sum(sizeOf(a), sizeOf(b)),
})

export const located = ofFirst((size) => ({ cost: scaled(size, perCharacter), size }))
export const addressContained = contained(compared)
export const rangeContained = contained(containedRange)
