import { readMoment } from '../../meta/moment.ts'
import { Timestamp } from './scalars.ts'

/** Parsed timestamp with all its digits; undefined: the string is not a timestamp. */
export function momentOf(text: string): Timestamp | undefined {
  const at = readMoment(text)
  if (at === undefined) return undefined
  const milliseconds = BigInt(new Date(at).getTime())
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? []
  const below = BigInt(fraction.padEnd(9, '0').slice(3, 9) || '0')
  return new Timestamp(milliseconds * 1_000_000n + below)
}

const earliest = -62_135_596_800n
const latest = 253_402_300_799n

/** Timestamp. @throws Error outside of the years 1 to 9999. */
export function checkedMoment(nanoseconds: bigint): Timestamp {
  const seconds = floored(nanoseconds, 1_000_000_000n)
  if (seconds < earliest || seconds > latest) throw new Error('timestamp overflow')
  return new Timestamp(nanoseconds)
}

export function floored(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

/** Timestamp in RFC 3339 format, in UTC. */
export function momentText({ nanoseconds }: Timestamp): string {
  const seconds = floored(nanoseconds, 1_000_000_000n)
  const rest = nanoseconds - seconds * 1_000_000_000n
  const text = new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, '')
  const fraction = String(rest).padStart(9, '0').replace(/0+$/, '')
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Duration in seconds, with all significant digits of the fraction. */
export function durationText(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : ''
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
}
