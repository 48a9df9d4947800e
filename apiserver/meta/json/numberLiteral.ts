/**
 * Number in a body that keeps its digits, because a decoder of integers refuses its written form:
 * `1.0`, `1e1`, or more than 64 bits. As JSON it is the nearest double.
 */
export class NumberLiteral {
  // Private, so that the object has no enumerable members.
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Number as written. */
  toString(): string {
    return this.#text
  }

  toJSON(): number {
    return Number(this.#text)
  }
}

/**
 * Reports whether a number would lose its written form as a value: it would be a different integer, or be formatted
 * differently.
 */
export function isLiteral(text: string): boolean {
  if (/^-?\d+$/.test(text)) return !Number.isSafeInteger(Number(text)) && !isInt64(text)
  const value = Number(text)
  return !Number.isFinite(value) || Number.isInteger(value) || String(value) !== text
}

function isInt64(digits: string): boolean {
  // A JSON number has no leading zeros; longer ones would take quadratic time.
  if (digits.length > 20) return false
  const value = BigInt(digits)
  return BigInt.asIntN(64, value) === value
}
