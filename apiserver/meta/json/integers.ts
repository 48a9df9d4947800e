import { goQuote } from '../goQuote.ts'

/** Reports whether a JSON value is an integer of any size. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** Integer in its JSON value form: a number if that is exact, otherwise a bigint. */
export function exactInteger(value: bigint): number | bigint {
  const double = Number(value)
  return Number.isSafeInteger(double) ? double : value
}

/**
 * Reports whether digits certainly exceed 64 bits: reading all of them would take quadratic time.
 */
function isLong(text: string): boolean {
  return text.length > 20 && text.replace(/^[+-]?0*/, '').length > 20
}

/** Parses a signed 64-bit integer in decimal, like Go's `strconv.ParseInt`. Undefined: invalid. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  if (isLong(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** Parses an unsigned 64-bit integer in decimal, like Go's `strconv.ParseUint`. Undefined: invalid. */
export function parseUint64(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined
  if (isLong(text)) return undefined
  const value = BigInt(text)
  return BigInt.asUintN(64, value) === value ? value : undefined
}

/** Go's message for a string that the parser refuses. */
export function integerProblem(parser: 'ParseInt' | 'ParseUint', text: string): string {
  const digits = parser === 'ParseInt' ? /^[+-]?[0-9]+$/ : /^[0-9]+$/
  const why = digits.test(text) ? 'value out of range' : 'invalid syntax'
  return `strconv.${parser}: parsing ${goQuote(text)}: ${why}`
}
