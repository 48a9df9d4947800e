import { deepContent } from '../meta/json/deepContent.ts'
import { parseExact } from '../meta/json/exactJson.ts'
import { numbersIn } from '../meta/json/jsonStrings.ts'
import { badRequest } from '../meta/statusErrors.ts'
import { duplicateFields } from './duplicateFields.ts'
import { goJsonError } from './goJsonError.ts'
import { jsonShape } from './jsonShape.ts'

/** A request body, decoded. */
export interface Decoded {
  /** Plain objects, arrays, strings, numbers, bigints, booleans and null, shared with nobody; what lies deeper than `keptDepth` is
   *  `deepContent`, which nobody can look into. Keys such as `__proto__` and `constructor` are the data that they are to
   *  every other server: ask for keys with `Object.hasOwn`, and set those that come from a body with `setMember`. */
  value: unknown
  /** What stands more than once in the body, in order, each text once and at most 100: JSON field paths
   *  (`metadata.labels.a`, `spec.list[0].x`), or the sentences of the YAML parser. Of repeated members the last counts. */
  duplicates: string[]
  /** Some of the value is `deepContent`. */
  isDeep?: true
  /** The text of a number that no double holds; it is infinite in the value. */
  overflow?: string
}

/** How heavy a body is at most, as `jsonShape` weighs it: more than any object has that a person or a controller writes,
 *  and little enough that no step of its way takes long. */
export const maxBodyWeight = 50_000

/** Levels that an object can have. structuredClone overflows the stack below 2,000, JSON.stringify at about 4,000, and no
 *  object of any kind comes near. Unknown fields, which are dropped, may be as deep as bodies. */
export const keptDepth = 1000

/** A JSON body. Integers are exact, as `exactJson.ts` has them; invalid UTF-8 becomes U+FFFD.
 *  @throws StatusError 400 for text that is no JSON, or that is nested deeper than `maxDepth`; 413 for one heavier than
 *  `maxWeight`. Source: reference 1.12 and 1.13. */
export function decodeJson(bytes: Buffer, maxWeight = maxBodyWeight): Decoded {
  const text = bytes.toString('utf8')
  const { members, depth } = jsonShape(text, maxWeight)
  const value = parse(text, bytes)
  if (depth > keptDepth) {
    cutBelow(value)
    return { value, duplicates: duplicateFields(text), ...overflowOf(text), isDeep: true }
  }
  const kept = countKeys(value)
  if (kept === members) return { value, duplicates: [] }
  const duplicates = duplicateFields(text)
  return kept === Infinity ? { value, duplicates, ...overflowOf(text) } : { value, duplicates }
}

function parse(text: string, bytes: Buffer): unknown {
  try {
    return parseExact(loneSurrogate.test(text) ? withoutLoneSurrogates(text) : text)
  } catch (cause) {
    // The runtime quotes the text around an error, in which there may be a secret.
    throw badRequest(goJsonError(bytes) ?? 'invalid JSON', cause)
  }
}

const loneSurrogate = /\\u[dD][89a-fA-F]/

/** Half a character that is written as an escape is U+FFFD, as for the Go decoder: it has no UTF-8. */
function withoutLoneSurrogates(text: string): string {
  return text.replace(
    /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g,
    (escape) => (escape.length === 6 ? '\\ufffd' : escape),
  )
}

/** Takes what is too deep out of a value, without recursion. */
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

/** How many own keys the objects in `value` have together; infinite when a number is. It is what decoding costs beyond JSON.parse, hence loops that allocate nothing. */
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
    // A key that for-in gives of a plain object is its own.
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
