import { exceededDepth } from '../meta/json/deepContent.ts'
import { stringEnd } from '../meta/json/jsonStrings.ts'
import { requestEntityTooLarge } from '../meta/statusErrors.ts'

export interface JsonShape {
  /** Number of object members, by the colons outside of strings. */
  members: number
  /** Maximum nesting depth of brackets. */
  depth: number
  /** True if a number has a fraction or an exponent. */
  hasFractions: boolean
}

/** Maximum depth of objects and arrays in a body. Source: reference 1.12. */
export const maxDepth = 10_000

/**
 * Minimum number of members for which the runtime stores an object as a hash table, which is about
 * eight times as slow.
 */
const wideMembers = 64
const wideWeight = 8

/**
 * Computes the shape of a JSON string before it is decoded. The weight is proportional to the decoding time: each value
 * weighs one, and eight as a member of an object with more than 64 members.
 * @throws StatusError 400 if brackets nest too deeply; 413 for a string heavier than `maxWeight`.
 */
export function jsonShape(text: string, maxWeight: number): JsonShape {
  const shape = new ShapeScan(maxWeight)
  let hasFractions = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === comma) shape.next()
    else if (code === colon) shape.members++
    // The codes of a brace and its bracket differ in one bit.
    else if ((code & ~0x20) === openBracket) shape.open(code === openBrace)
    else if ((code & ~0x20) === closeBracket) shape.close()
    else if (code === dot) hasFractions = true
    else if ((code | 0x20) === letterE) hasFractions ||= isDigit(text.charCodeAt(at - 1))
  }
  return { members: shape.members, depth: shape.deepest, hasFractions }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const openBrace = 0x7b
const closeBracket = 0x5d
const dot = 0x2e
/** The letter also occurs in `true` and `false`, but not after a digit. */
const letterE = 0x65

class ShapeScan {
  members = 0
  deepest = 0
  readonly #maxWeight: number
  readonly #widths: number[] = []
  /**
   * Number of members so far in the current object; in an array, a number too low to count as wide.
   */
  #width = 0
  #weight = 0

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  next(): void {
    this.#add(++this.#width > wideMembers ? wideWeight : 1)
  }

  open(isObject: boolean): void {
    this.#widths.push(this.#width)
    this.#width = isObject ? 0 : -Infinity
    const depth = this.#widths.length
    if (depth > this.deepest) this.deepest = depth
    if (depth > maxDepth) throw exceededDepth(isObject ? '{' : '[')
    this.#add(1)
  }

  close(): void {
    this.#width = this.#widths.pop() ?? 0
  }

  #add(weight: number): void {
    this.#weight += weight
    if (this.#weight > this.#maxWeight) throw tooHeavy(this.#maxWeight)
  }
}

function tooHeavy(maxWeight: number): Error {
  const most = Math.floor(maxWeight / wideWeight)
  return requestEntityTooLarge(
    `an object has at most ${maxWeight} values, or ${most} members of large maps`,
  )
}
