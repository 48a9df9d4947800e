import { addressBytes } from '../functions/addresses.ts'
import { patternCostOf } from '../functions/formats.ts'

/** What a call costs that was given `args`, a method its receiver first, and made `result`. */
type Cost = (args: readonly unknown[], result: unknown) => number

const perCharacter = 0.1
const perPatternCharacter = 0.25
const perList = 10

/** Characters, bytes, items or members; 1 for what has none. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return charactersOf(value)
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length
  if (value instanceof Map || value instanceof Set) return value.size
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.keys(value).length
  return addressBytes(value) ?? 1
}

/** The second unit of a pair is none. */
function charactersOf(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++
  return count
}

/** Values within an optional count. */
function sizeWithin(value: unknown): number {
  if (typeof value !== 'object' || value === null || !('hasValue' in value)) return sizeOf(value)
  const optional = value as { hasValue: () => boolean; value: () => unknown } // as the library makes them
  return optional.hasValue() ? sizeWithin(optional.value()) : 1
}

/** Every text and number that stands in a value. */
function traversed(value: unknown): number {
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * perCharacter)
  if (value instanceof Uint8Array) return Math.floor(value.length * perCharacter)
  if (Array.isArray(value) || value instanceof Set)
    return [...(value as Iterable<unknown>)].reduce<number>((sum, one) => sum + traversed(one), 0)
  const entries = value instanceof Map ? [...value] : plainEntries(value)
  if (entries === undefined) return 1
  return entries.reduce<number>((sum, [key, one]) => sum + traversed(key) + traversed(one), 0)
}

function plainEntries(value: unknown): [unknown, unknown][] | undefined {
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  return isPlain ? Object.entries(value) : undefined
}

const traversal: Cost = ([first]) => traversed(first)
const nominal: Cost = () => 1
const read: Cost = ([first]) => Math.ceil(sizeOf(first) * perCharacter)
const readTwice: Cost = ([first]) => Math.ceil(sizeOf(first) * 2 * perCharacter)
const searched: Cost = ([text, pattern]) =>
  Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter)

/** The shorter of both is looked at. */
const shorter: Cost = ([a, b]) => Math.ceil(Math.min(sizeWithin(a), sizeWithin(b)) * perCharacter)

const isText = (value: unknown) => typeof value === 'string' || value instanceof Uint8Array

const added: Cost = ([a, b]) => (isText(a) ? Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter) : 1)

const found: Cost = ([, list]) => (Array.isArray(list) || list instanceof Set ? sizeOf(list) : 1)

/** Only of texts and bytes into each other. */
const converted: Cost = ([first], result) =>
  isText(first) && isText(result) && typeof first !== typeof result ? read([first], result) : 1

/** Addresses are compared with a range as far as it is long. */
const contained: Cost = ([range, other]) =>
  Math.ceil(2 * sizeOf(range) * perCharacter) + textCost(other)

const containedRange: Cost = ([range, other]) =>
  Math.ceil(2 * sizeOf(range) * perCharacter) +
  Math.ceil(sizeOf(range) * perCharacter) +
  1 +
  textCost(other)

function textCost(value: unknown): number {
  return typeof value === 'string' ? Math.ceil(sizeOf(value) * perCharacter) : 0
}

function made(size: number, factor = 1): number {
  return Math.floor(size * factor) + 1 + perList
}

function comparedAmong(list: unknown): number {
  const size = sizeOf(list)
  const [first] = size === 0 ? [] : (list as Iterable<unknown>) // what has items
  return made(size * size, isText(first) ? 2 + perCharacter : 2)
}

function crossed(factor: number): Cost {
  return ([a, b]) => 1 + Math.floor(sizeOf(a) * sizeOf(b) * factor)
}

/** By the name of the function or operator; what is in no table costs 1.
 *  Source: Kubernetes documentation, "CEL in Kubernetes", "Resource constraints". */
const costs: Readonly<Record<string, Cost>> = {
  '==': shorter,
  '!=': shorter,
  '<': shorter,
  '<=': shorter,
  '>': shorter,
  '>=': shorter,
  '+': added,
  in: found,
  startsWith: read,
  endsWith: read,
  format: read,
  'strings.quote': read,
  string: converted,
  bytes: converted,
  contains: ([text, other]) =>
    Math.ceil(sizeOf(text) * perCharacter) * Math.ceil(sizeOf(other) * perCharacter),
  isSorted: traversal,
  sum: traversal,
  max: traversal,
  min: traversal,
  indexOf: traversal,
  lastIndexOf: traversal,
  url: read,
  lowerAscii: read,
  upperAscii: read,
  substring: read,
  trim: read,
  replace: readTwice,
  split: readTwice,
  join: (_args, result) => Math.ceil(sizeOf(result) * 2 * perCharacter),
  find: searched,
  findAll: searched,
  cidr: read,
  isIP: read,
  isCIDR: read,
  // Answers of the authorizer are dear, so that a few exhaust what an expression may cost.
  check: () => 350_000,
  'ip.isCanonical': readTwice,
  containsIP: contained,
  containsCIDR: containedRange,
  quantity: read,
  isQuantity: read,
  semver: read,
  isSemver: read,
  validate: ([format, text]) =>
    Math.ceil((1 + sizeOf(text)) * perCharacter) * patternCostOf(format),
  slice: (_args, result) => made(sizeOf(result)),
  'lists.range': (_args, result) => made(sizeOf(result)),
  reverse: (_args, result) => made(sizeOf(result)),
  flatten: ([list, depth]) => made(sizeOf(list), depth === undefined ? 1 : Number(depth)),
  distinct: ([list]) => comparedAmong(list),
  sort: ([list]) => comparedAmong(list),
  'sets.contains': crossed(1),
  'sets.intersects': crossed(1),
  'sets.equivalent': crossed(2),
}

/** Those that cost something else where they are no methods, or where they are. */
const functionCosts: Readonly<Record<string, Cost>> = { ip: read }
const methodCosts: Readonly<Record<string, Cost>> = { matches: searched }

/** By its name, with that of its namespace. */
export function actualCost(name: string, { isMethod }: { isMethod: boolean }): Cost {
  return own(isMethod ? methodCosts : functionCosts, name) ?? own(costs, name) ?? nominal
}

/** What it costs to sort by `keys`. */
export function sortCost(keys: readonly unknown[]): number {
  return comparedAmong(keys)
}

function own(table: Readonly<Record<string, Cost>>, name: string): Cost | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
