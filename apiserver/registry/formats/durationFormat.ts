/**
 * Whether a string is a duration: `1h30m`, or numbers with units anywhere, such as `2 days`. Source: Kubernetes, format
 * `duration`; Go, time.ParseDuration.
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

const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
]

const token = /(\d+)|([A-Za-zµ]+)|[\t\n\f\r ]+|[^\dA-Za-zµ\t\n\f\r ]+/g

/** Whether a string contains a spelled duration; the last name of a unit may have a suffix: seconds, milliseconds. */
function hasSpelledDuration(text: string): boolean {
  let number: string | undefined
  let isFound = false
  for (const [whole, digits, word] of text.matchAll(token)) {
    if (digits !== undefined) number = digits
    else if (word !== undefined && number !== undefined) {
      if (!isInteger(number)) return false
      isFound ||= isUnit(word.toLowerCase())
      number = undefined
    } else if (!/^[\t\n\f\r ]/.test(whole)) number = undefined
  }
  return isFound
}

function isInteger(digits: string): boolean {
  const significant = digits.replace(/^0+/, '')
  return significant.length <= 19 && BigInt(significant) < limit
}

function isUnit(word: string): boolean {
  return units.some((names) => names.includes(word) || word.startsWith(names.at(-1) ?? word))
}
