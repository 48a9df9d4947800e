import { deepContent } from '../meta/json/deepContent.ts'
import { parseExact, parseLiterals } from '../meta/json/exactJson.ts'
import { numbersIn } from '../meta/json/jsonStrings.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { duplicateFields } from './duplicateFields.ts'
import { goJsonError } from './goJsonError.ts'
import { jsonShape } from './jsonShape.ts'

/** A decoded request body. */
export interface Decoded {
  /**
   * Plain objects, arrays, strings, numbers, bigints, booleans and null, not shared; anything deeper than `keptDepth`
   * is `deepContent`, which cannot be inspected. Keys such as `__proto__` and `constructor` are ordinary data: test for
   * keys with `Object.hasOwn`, and set keys from a body with `setMember`.
   */
  value: unknown
  /**
   * Repeated members of the body, in order, each once and at most 100: JSON field paths
   * (`metadata.labels.a`, `spec.list[0].x`), or messages of the YAML parser. The last of repeated
   * members wins.
   */
  duplicates: string[]
  /** True if a part of the value is `deepContent`. */
  isDeep?: true
  /** The literal of a number that exceeds a double, which is infinite in the value. */
  overflow?: string
  /** True if there may be a `NumberLiteral` in the value. */
  hasLiterals?: true
}

/**
 * Maximum weight of a body, as computed by `jsonShape`: more than any object written by a person or a controller, and
 * small enough that no step takes long.
 */
export const maxBodyWeight = 50_000

/**
 * Maximum depth of an object. structuredClone overflows the stack below 2,000, JSON.stringify at about 4,000, and real
 * objects are far shallower. Unknown fields, which are dropped, may be as deep as bodies.
 */
export const keptDepth = 1000

export interface JsonOptions {
  /** Maximum weight of a body. Default: `maxBodyWeight`. */
  maxWeight?: number
  /** True to keep numbers as written (`NumberLiteral`) if decoders examine them. Default false. */
  keepsLiterals?: boolean
}

/**
 * Decodes a JSON body. Integers are exact, see `exactJson.ts`; invalid UTF-8 becomes U+FFFD.
 * @throws StatusError 400 for invalid JSON, or nesting deeper than `maxDepth`; 413 for a body heavier than `maxWeight`.
 * Source: reference 1.12 and 1.13.
 */
export function decodeJson(bytes: Buffer, options: JsonOptions = {}): Decoded {
  const { maxWeight = maxBodyWeight, keepsLiterals = false } = options
  const text = bytes.toString('utf8')
  const { members, depth, hasFractions } = jsonShape(text, maxWeight)
  const hasLiterals = keepsLiterals && (hasFractions || veryLong.test(text))
  const value = parse(text, bytes, hasLiterals ? parseLiterals : parseExact)
  const form: Pick<Decoded, 'hasLiterals'> = hasLiterals ? { hasLiterals } : {}
  if (depth > keptDepth) {
    cutBelow(value)
    return { value, ...form, duplicates: duplicateFields(text), ...overflowOf(text), isDeep: true }
  }
  const kept = countKeys(value)
  if (kept === members) return { value, ...form, duplicates: [] }
  const decoded = { value, ...form, duplicates: duplicateFields(text) }
  return kept === Infinity ? { ...decoded, ...overflowOf(text) } : decoded
}

/** An integer with fewer digits has at most 64 bits. */
const veryLong = /(?:^|[:,[\s-])\d{19}/

function parse(text: string, bytes: Buffer, read: (text: string) => unknown): unknown {
  try {
    return read(loneSurrogate.test(text) ? withoutLoneSurrogates(text) : text)
  } catch (cause) {
    // The runtime quotes the input around an error, which may contain a secret.
    throw badRequest(goJsonError(bytes) ?? 'invalid JSON', cause)
  }
}

const loneSurrogate = /\\u[dD][89a-fA-F]/

/**
 * Replaces escapes of unpaired surrogates by U+FFFD, like the Go decoder: UTF-8 cannot encode them.
 */
function withoutLoneSurrogates(text: string): string {
  return text.replace(
    /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g,
    (escape) => (escape.length === 6 ? '\\ufffd' : escape),
  )
}

/** Replaces parts of a value that are too deep, without recursion. */
function cutBelow(value: unknown): void {
  let level = isContainer(value) ? [value] : []
  for (let depth = 1; depth <= keptDepth; depth++) {
    const next: object[] = []
    for (const container of level) {
      for (const [name, member] of Object.entries(container)) {
        if (!isContainer(member)) continue
        if (depth === keptDepth)
          Reflect.set(container, name, deepContent(Array.isArray(member) ? '[' : '{'))
        else next.push(member)
      }
    }
    level = next
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Counts the own keys of all objects in `value`; infinite if a number is. This is the only cost of
 * decoding besides JSON.parse, so the loops allocate nothing.
 */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? countInArray(value) : countInObject(value)
}

function countInArray(items: readonly unknown[]): number {
  let count = 0
  for (const item of items) {
    if (typeof item === 'object') count += countKeys(item)
    else if (isInfinite(item)) return Infinity
  }
  return count
}

function countInObject(object: object): number {
  let count = 0
  for (const key in object) {
    // Sound: for-in over a plain object only yields its own keys.
    const member: unknown = object[key as keyof typeof object]
    if (typeof member === 'object') count += 1 + countKeys(member)
    else if (isInfinite(member)) return Infinity
    else count++
  }
  return count
}

function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity
}

function overflowOf(text: string): Pick<Decoded, 'overflow'> {
  for (const { number } of numbersIn(text))
    if (isInfinite(Number(number))) return { overflow: number }
  return {}
}
