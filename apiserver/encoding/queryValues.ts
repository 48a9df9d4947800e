import { goQuote } from '../meta/goQuote.ts'
import { integerProblem, parseInt64 } from '../meta/json/integers.ts'
import { badRequest } from '../meta/statusErrors.ts'

/**
 * Parses a query and ignores its malformed parts: parts with a semicolon or a stray percent sign.
 * Source: Go, url.ParseQuery.
 */
export function parseQuery(text: string): URLSearchParams {
  if (!unreadable.test(text)) return new URLSearchParams(text)
  const parts = text.split('&').filter((part) => !unreadable.test(part))
  return new URLSearchParams(parts.join('&'))
}

const unreadable = /;|%(?![\da-f]{2})/i

/**
 * Parses a boolean of the query: `false` (in any case) and `0` are false, anything else is true, including the empty
 * string. An absent one is false. Source: reference 1.15.
 */
export function parseBool(text: string): boolean {
  return text !== '0' && text.toLowerCase() !== 'false'
}

/**
 * Parses a 64-bit integer of the query. Rounded beyond 2^53.
 * @throws StatusError 400 with Go's message.
 */
export function parseInteger(text: string): number {
  const value = parseInt64(text)
  if (value === undefined) throw badRequest(integerProblem('ParseInt', text))
  return Number(value)
}

/**
 * Parses a Go duration of the query (`5s`, `1m30s`, `1.5h`, `0`), in milliseconds.
 * @throws StatusError 400 with Go's message. Source: Go, time.ParseDuration.
 */
export function parseDuration(text: string): number {
  const [, sign, parts = ''] = /^([-+]?)([^]*)$/.exec(text) ?? []
  if (parts === '0') return 0
  const milliseconds = parts === '' ? Infinity : sumParts(parts, text)
  if (milliseconds > maxMilliseconds) throw badRequest(`time: invalid duration ${goQuote(text)}`)
  return sign === '-' ? -milliseconds : milliseconds
}

/** Maximum of a signed 64-bit number of nanoseconds, in milliseconds. */
const maxMilliseconds = 2 ** 63 / 1e6

const unitMilliseconds: Readonly<Partial<Record<string, number>>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

function sumParts(parts: string, text: string): number {
  let sum = 0
  for (let rest = parts; rest !== '';) {
    const [part = '', number, unit = ''] = /^([0-9]+\.?[0-9]*|\.[0-9]+)([^.0-9]*)/.exec(rest) ?? []
    if (number === undefined) throw badRequest(`time: invalid duration ${goQuote(text)}`)
    if (unit === '') throw badRequest(`time: missing unit in duration ${goQuote(text)}`)
    const scale = Object.hasOwn(unitMilliseconds, unit) ? unitMilliseconds[unit] : undefined
    if (scale === undefined) {
      throw badRequest(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`)
    }
    sum += Number(number) * scale
    rest = rest.slice(part.length)
  }
  return sum
}
