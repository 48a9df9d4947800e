import { parseInt64 } from './integers.ts'
import { numbersIn } from './jsonStrings.ts'

/**
 * JSON with exact integers: 64-bit integers that a number cannot hold are bigints, all others numbers, like the library
 * reads them.
 */

/**
 * Prefix of such an integer's digits, as a string, during conversion. It is an unpaired surrogate, which no string of
 * an object contains.
 */
const mark = '\ud800'
const escapedMark = String.raw`\ud800`

/** Like JSON.parse, with exact integers. @throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longDigits.test(text) || !longNumber.test(text)) return value
  const marked = markLarge(text)
  return marked === text ? value : restored(JSON.parse(marked))
}

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

/** Integers with fewer digits are safe. Most strings have none, and are searched faster without the prefix. */
const longDigits = /\d{16}/
const longNumber = /(?:^|[:,[\s-])\d{16}/

const marks = /"\\ud800(-?\d+)"/g

function largeText(value: unknown, indent: number | undefined): string {
  const textOf = (_name: string, member: unknown): unknown =>
    typeof member === 'bigint' ? mark + String(member) : member
  return JSON.stringify(value, textOf, indent).replace(marks, '$1')
}

/** Replaces large integers in a string by marked strings. */
function markLarge(text: string): string {
  let result = ''
  let done = 0
  for (const { at, number } of numbersIn(text)) {
    if (!isLarge(number)) continue
    result += `${text.slice(done, at)}"${escapedMark}${number}"`
    done = at + number.length
  }
  return result + text.slice(done)
}

function isLarge(text: string): boolean {
  return !Number.isSafeInteger(Number(text)) && parseInt64(text) !== undefined
}

/** Replaces marked strings in a value by integers. Not recursive: bodies may be deep. */
function restored(value: unknown): unknown {
  const root = { value }
  const open: object[] = [root]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [name, member] of Object.entries(at) as [string, unknown][]) {
      if (typeof member === 'object' && member !== null) open.push(member)
      else if (typeof member === 'string' && member.startsWith(mark))
        Reflect.set(at, name, BigInt(member.slice(mark.length)))
    }
  }
  return root.value
}
