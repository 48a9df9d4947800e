/** A number of a body whose digits matter, because a decoder of integers refuses the form in which it is written: `1.0`,
 *  `1e1`, or more than 64 bits. As JSON it is the nearest double. */
export class NumberLiteral {
  // Private, so that it has no members to look into.
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The number as it was written. */
  toString(): string {
    return this.#text
  }

  toJSON(): number {
    return Number(this.#text)
  }
}

/**
 * Reports whether a number would be lost in its value form: it reads as another integer, or is written in another way.
 */
export function isLiteral(text: string): boolean {
  if (/^-?\d+$/.test(text)) return !Number.isSafeInteger(Number(text)) && !isInt64(text)
  const value = Number(text)
  return !Number.isFinite(value) || Number.isInteger(value) || String(value) !== text
}

function isInt64(digits: string): boolean {
  const value = BigInt(digits)
  return BigInt.asIntN(64, value) === value
}
