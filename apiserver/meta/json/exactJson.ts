import { parseInt64 } from './integers.ts'
import { numbersIn } from './jsonStrings.ts'
import { isLiteral, NumberLiteral } from './numberLiteral.ts'

/**
 * JSON with exact integers, as in the library: 64-bit integers that a number cannot hold are
 * bigints, all others numbers.
 */

/**
 * Prefix of such an integer's digits, as a string, during conversion. It is an unpaired surrogate, which no string of
 * an object contains.
 */
const mark = '\ud800'
const escapedMark = String.raw`\ud800`
/** Prefix of the digits of a number that keeps its written form. */
const literalMark = '\ud801'
const escapedLiteralMark = String.raw`\ud801`

/** Like JSON.parse, with exact integers. @throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longDigits.test(text) || !longNumber.test(text)) return value
  return restoredFrom(text, value, largeMark)
}

/**
 * Like `parseExact`, with a `NumberLiteral` for each number that a decoder of integers would refuse in its written
 * form.
 * @throws SyntaxError.
 */
export function parseLiterals(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return restoredFrom(text, value, (number) => {
    return largeMark(number) ?? (isLiteral(number) ? escapedLiteralMark : undefined)
  })
}

function largeMark(number: string): string | undefined {
  return isLarge(number) ? escapedMark : undefined
}

/** `value` unchanged if it has no marked numbers, otherwise parsed from the marked string. */
function restoredFrom(text: string, value: unknown, markOf: MarkOf): unknown {
  const marked = withMarks(text, markOf)
  return marked === text ? value : restored(JSON.parse(marked))
}

/** Returns the prefix to mark a number with; undefined: none. */
type MarkOf = (number: string) => string | undefined

/** Like JSON.stringify, for values with exact integers. Undefined has no JSON, and results in `undefined`. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // A bigint has no JSON form.
    if (error instanceof TypeError) return largeText(value, indent)
    throw error
  }
}

/**
 * Integers with fewer digits are safe. Most strings contain none, and are searched faster without
 * the prefix.
 */
const longDigits = /\d{16}/
const longNumber = /(?:^|[:,[\s-])\d{16}/

const marks = /"\\ud800(-?\d+)"/g

function largeText(value: unknown, indent: number | undefined): string {
  const textOf = (_name: string, member: unknown): unknown =>
    typeof member === 'bigint' ? mark + String(member) : member
  return JSON.stringify(value, textOf, indent).replace(marks, '$1')
}

/** Replaces numbers in a string by marked strings. */
function withMarks(text: string, markOf: MarkOf): string {
  let result = ''
  let done = 0
  for (const { at, number } of numbersIn(text)) {
    const escape = markOf(number)
    if (escape === undefined) continue
    result += `${text.slice(done, at)}"${escape}${number}"`
    done = at + number.length
  }
  return result + text.slice(done)
}

function isLarge(text: string): boolean {
  return !Number.isSafeInteger(Number(text)) && parseInt64(text) !== undefined
}

/** Replaces marked strings in a value by numbers. Not recursive: bodies may be deep. */
function restored(value: unknown): unknown {
  const root = { value }
  const open: object[] = [root]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [name, member] of Object.entries(at) as [string, unknown][]) {
      if (typeof member === 'object' && member !== null) open.push(member)
      else if (typeof member === 'string' && member.startsWith(mark))
        Reflect.set(at, name, BigInt(member.slice(mark.length)))
      else if (typeof member === 'string' && member.startsWith(literalMark))
        Reflect.set(at, name, new NumberLiteral(member.slice(literalMark.length)))
    }
  }
  return root.value
}
