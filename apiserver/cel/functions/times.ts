import { floored } from '../values/moments.ts'
import type { Duration } from '../values/scalars.ts'
import { type Timestamp } from '../values/scalars.ts'
import type { FunctionRow, FunctionTable, Run } from './row.ts'

/** Reader of a calendar field of a timestamp. */
type Read = (date: Date, nanoseconds: bigint) => number

function ofTime(read: Read): Record<string, Run> {
  return {
    '.timestamp int': (moment: Timestamp) => partOf(moment, 'UTC', read),
    '.timestamp,string int': (moment: Timestamp, zone: string) => partOf(moment, zone, read),
  }
}

function ofBoth(read: Read, nanosecondsOfOne: bigint): FunctionRow {
  const ofDuration = (duration: Duration) => duration.nanoseconds / nanosecondsOfOne
  return { forms: { ...ofTime(read), '.duration int': ofDuration } }
}

/** Calendar field of a timestamp in a time zone. */
function partOf({ nanoseconds }: Timestamp, zone: string, read: Read): bigint {
  const milliseconds = Number(floored(nanoseconds, 1_000_000n))
  const offset = offsetOf(zone, milliseconds)
  return BigInt(read(new Date(milliseconds + offset), nanoseconds))
}

/** Offset of a time zone from UTC, in milliseconds. @throws Error for an unknown time zone. */
function offsetOf(zone: string, at: number): number {
  if (zone === 'UTC' || zone === '') return 0
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? []
  if (hours !== undefined) {
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000
    return sign === '-' ? -size : size
  }
  return offsetOfNamed(zone, at)
}

function offsetOfNamed(zone: string, at: number): number {
  const format = formatOf(zone)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = parts
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) % 24)
  const whole = local + Number(minute) * 60_000 + Number(second) * 1000
  return whole - Math.floor(at / 1000) * 1000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  } catch (error) {
    throw new Error(`unknown time zone ${timeZone}`, { cause: error })
  }
}

function dayOfYear(date: Date): number {
  return Math.floor((Number(date) - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000)
}

const hour = 3_600_000_000_000n
const minute = 60_000_000_000n
const second = 1_000_000_000n
const millisecond = 1_000_000n

/** Functions for timestamps and durations. Source: the language's definition, "List of standard definitions". */
export const times: FunctionTable = {
  getFullYear: { forms: ofTime((date) => date.getUTCFullYear()) },
  getMonth: { forms: ofTime((date) => date.getUTCMonth()) },
  getDayOfYear: { forms: ofTime(dayOfYear) },
  getDayOfMonth: { forms: ofTime((date) => date.getUTCDate() - 1) },
  getDate: { forms: ofTime((date) => date.getUTCDate()) },
  getDayOfWeek: { forms: ofTime((date) => date.getUTCDay()) },
  getHours: ofBoth((date) => date.getUTCHours(), hour),
  getMinutes: ofBoth((date) => date.getUTCMinutes(), minute),
  getSeconds: ofBoth((date) => date.getUTCSeconds(), second),
  getMilliseconds: ofBoth((date) => date.getUTCMilliseconds(), millisecond),
}
