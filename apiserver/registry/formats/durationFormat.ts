/**
 * Reports whether a string is a duration: `1h30m`, or numbers with units anywhere, such as `2 days`. Source:
 * Kubernetes, format `duration`; Go, time.ParseDuration.
 */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || hasSpelledDuration(text)
}

const nanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const limit = 2n ** 63n

const goPart = /(\d*)(?:\.(\d*))?([^.\d]+)/y

function isGoDuration(text: string): boolean {
  return durationNanoseconds(text) !== undefined
}

/**
 * The length of a duration such as `-1h30m` or `1.5s`; undefined: malformed, or beyond 64 bits.
 * Source: Go, time.ParseDuration.
 */
export function durationNanoseconds(text: string): bigint | undefined {
  const digits = text.replace(/^[-+]/, '')
  const sign = text.startsWith('-') ? -1n : 1n
  if (digits === '0') return 0n
  let total = 0n
  let at = 0
  do {
    goPart.lastIndex = at
    const part = goPart.exec(digits)
    const length = part === null ? undefined : nanosecondsOf(part)
    if (length === undefined || (total += length) > limit) return undefined
    at = goPart.lastIndex
  } while (at < digits.length)
  return total < limit || sign < 0n ? sign * total : undefined
}

/** The length of one part; undefined: without a number, or with an unknown unit. */
function nanosecondsOf([, number = '', fraction = '', unit = '']: string[]): bigint | undefined {
  const of = Object.hasOwn(nanoseconds, unit) ? nanoseconds[unit] : undefined
  return number + fraction === '' || of === undefined ? undefined : timesOf(number, fraction, of)
}

/** Multiplies a number by a unit; numbers too long for 64 bits exceed the limit in any case. */
function timesOf(number: string, fraction: string, unit: bigint): bigint {
  const significant = number.replace(/^0+/, '')
  if (significant.length > 19) return limit + 1n
  return BigInt(significant) * unit + BigInt(Math.trunc(Number(`0.${fraction}`) * Number(unit)))
}

const units: readonly (readonly [nanoseconds: bigint, ...names: string[]])[] = [
  [1n, 'ns', 'nano'],
  [1_000n, 'us', 'µs', 'micro'],
  [1_000_000n, 'ms', 'milli'],
  [1_000_000_000n, 's', 'sec'],
  [60_000_000_000n, 'm', 'min'],
  [3_600_000_000_000n, 'h', 'hr', 'hour'],
  [86_400_000_000_000n, 'd', 'day'],
  [604_800_000_000_000n, 'w', 'wk', 'week'],
]

const token = /(\d+)|([A-Za-zµ]+)|[\t\n\f\r ]+|[^\dA-Za-zµ\t\n\f\r ]+/g

function hasSpelledDuration(text: string): boolean {
  return spelledNanoseconds(text) !== undefined
}

/** Duration of a string such as `1h30m` or `2 days`; undefined: not a duration. */
export function formatNanoseconds(text: string): bigint | undefined {
  return durationNanoseconds(text) ?? spelledNanoseconds(text)
}

/**
 * The sum of spelled durations in a string; undefined: none. A unit may have a suffix: seconds,
 * milliseconds.
 */
function spelledNanoseconds(text: string): bigint | undefined {
  let number: string | undefined
  let total: bigint | undefined
  for (const [whole, digits, word] of text.matchAll(token)) {
    if (digits !== undefined) number = digits
    else if (word !== undefined && number !== undefined) {
      if (!isInteger(number)) return undefined
      const unit = unitOf(word.toLowerCase())
      if (unit !== undefined) total = (total ?? 0n) + BigInt(number) * unit
      number = undefined
    } else if (!/^[\t\n\f\r ]/.test(whole)) number = undefined
  }
  return total
}

function isInteger(digits: string): boolean {
  const significant = digits.replace(/^0+/, '')
  return significant.length <= 19 && BigInt(significant) < limit
}

/** Unit of a word; undefined: not a unit. */
function unitOf(word: string): bigint | undefined {
  return units.find(
    ([, ...names]) => names.includes(word) || word.startsWith(names.at(-1) ?? word),
  )?.[0]
}
