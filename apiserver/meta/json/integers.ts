import { goQuote } from '../goQuote.ts'

/** Whether a value of JSON is an integer, however large. */
export function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** An integer as values have it: a number where that holds it, else a bigint. */
export function exactInteger(value: bigint): number | bigint {
  const double = Number(value)
  return Number.isSafeInteger(double) ? double : value
}

/** A signed 64-bit integer in decimal, as Go's `strconv.ParseInt` reads it. Undefined: `text` is none. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** An unsigned 64-bit integer in decimal, as Go's `strconv.ParseUint` reads it. Undefined: `text` is none. */
export function parseUint64(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asUintN(64, value) === value ? value : undefined
}

/** What Go says of a text that the functions above refuse. */
export function integerProblem(parser: 'ParseInt' | 'ParseUint', text: string): string {
  const digits = parser === 'ParseInt' ? /^[+-]?[0-9]+$/ : /^[0-9]+$/
  const why = digits.test(text) ? 'value out of range' : 'invalid syntax'
  return `strconv.${parser}: parsing ${goQuote(text)}: ${why}`
}
