import { parseInt64 } from './integers.ts'
import { numbersIn } from './jsonStrings.ts'

/** JSON in which integers keep their value: those of 64 bits that a number of the runtime does not hold are bigints, all
 *  others numbers, as the library reads them. */

/** Stands before the digits of such an integer, as a text, between JSON and the value. It is half a character, which no
 *  text of an object has. */
const mark = '\ud800'
const escapedMark = String.raw`\ud800`

/** As JSON.parse, with exact integers. @throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longDigits.test(text) || !longNumber.test(text)) return value
  const marked = markLarge(text)
  return marked === text ? value : restored(JSON.parse(marked))
}

/** As JSON.stringify, for values with exact integers. Undefined has no JSON, and `undefined` for its text. */
export function jsonText(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent)
  } catch (error) {
    // A bigint has no JSON of its own.
    if (error instanceof TypeError) return largeText(value, indent)
    throw error
  }
}

/** Integers with fewer digits are safe. Most texts have none, and are looked through faster without what stands before. */
const longDigits = /\d{16}/
const longNumber = /(?:^|[:,[\s-])\d{16}/

const marks = /"\\ud800(-?\d+)"/g

function largeText(value: unknown, indent: number | undefined): string {
  const textOf = (_name: string, member: unknown): unknown =>
    typeof member === 'bigint' ? mark + String(member) : member
  return JSON.stringify(value, textOf, indent).replace(marks, '$1')
}

/** The text with its large integers as marked texts. */
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

/** The value with integers in place of marked texts. Does not recurse: bodies may be deep. */
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
