import type { Form } from './formedType.ts'
import { DecodeProblem, EncodeProblem } from './valueType.ts'

/** Go's zero time, the start of the year 1, in seconds since the epoch; it is null in JSON. */
const zeroSeconds = -62135596800
const lastSecond = 253402300799

/** RFC 3339 with whole seconds. Source: Time of apimachinery's meta/v1. */
export const timeForm: Form = {
  toJson: ({ seconds }) => (isZero(seconds) ? null : `${dateTime(Number(seconds))}Z`),
  toFields: (json) => timestamp(json, () => 0),
}

/** RFC 3339 with six fractional digits. Source: MicroTime of apimachinery's meta/v1. */
export const microTimeForm: Form = {
  toJson({ seconds, nanos }) {
    if (isZero(seconds) && Number(nanos ?? 0) === 0) return null
    const micros = Math.trunc(Number(nanos ?? 0) / 1000)
    const whole = Number(seconds ?? 0) + Math.floor(micros / 1e6)
    const fraction = String(micros - Math.floor(micros / 1e6) * 1e6).padStart(6, '0')
    return `${dateTime(whole)}.${fraction}Z`
  },
  toFields: (json) => timestamp(json, (text) => microsOf(text) * 1000),
}

function isZero(seconds: unknown): boolean {
  return seconds === undefined || seconds === zeroSeconds
}

/**
 * Formats `2006-01-02T15:04:05`.
 * @throws DecodeProblem for a year beyond RFC 3339.
 */
function dateTime(seconds: number): string {
  if (seconds < zeroSeconds || seconds > lastSecond) {
    throw new DecodeProblem(`proto: ${seconds} is outside of the years 1 to 9999`)
  }
  return new Date(seconds * 1000).toISOString().slice(0, 19)
}

function timestamp(json: unknown, nanosOf: (text: string) => number): ReturnType<Form['toFields']> {
  if (json === null || json === undefined) return undefined
  if (typeof json !== 'string') throw new EncodeProblem('time', json)
  const milliseconds = rfc3339.test(json) ? Date.parse(json) : NaN
  if (Number.isNaN(milliseconds)) throw new EncodeProblem('time', json)
  const seconds = Math.floor(milliseconds / 1000)
  return seconds === zeroSeconds ? undefined : { seconds, nanos: nanosOf(json) }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function microsOf(text: string): number {
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? []
  return Number(digits.slice(0, 6).padEnd(6, '0'))
}
