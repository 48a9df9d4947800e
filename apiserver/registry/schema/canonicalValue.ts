import { readMoment } from '../../meta/moment.ts'
import { quantityText } from '../../meta/quantity.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * The canonical form of a value with several notations; malformed values are kept for validation.
 * Source: apimachinery, Quantity, Time and MicroTime; Go, base64.StdEncoding.
 */
export function canonicalValue(
  value: unknown,
  { canonical: form, roundsToMilli }: Schema,
): unknown {
  if (form === undefined) return value
  if (form === 'quantity') return canonicalQuantity(value, roundsToMilli)
  if (form === 'double') return typeof value === 'bigint' ? Number(value) : value
  if (typeof value !== 'string') return value
  return form === 'bytes' ? bytesText(value) : timeText(value, form)
}

/** Canonical quantity; quantities may be sent as numbers, and with surrounding spaces. */
function canonicalQuantity(value: unknown, roundsToMilli: boolean | undefined): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    return value
  return quantityText(String(value).trim(), roundsToMilli) ?? value
}

/** Canonical base64: without the line breaks that tools insert, and with unused trailing bits cleared. */
function bytesText(value: string): string {
  const text = value.includes('\n') || value.includes('\r') ? value.replace(/[\r\n]/g, '') : value
  if (text.length % 4 !== 0 || !text.endsWith('=') || !lastGroup.test(text.slice(-4))) return text
  const last = text.slice(-4)
  return text.slice(0, -4) + Buffer.from(last, 'base64').toString('base64')
}

const lastGroup = /^[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=$/

/** Length of a time in UTC with whole seconds, such as the server's own; no other valid time has it. */
const wholeSecondsLength = '2006-01-02T15:04:05Z'.length

/** Canonical time, in UTC; a JavaScript date has milliseconds, so finer digits are taken from the string. */
function timeText(value: string, form: 'time' | 'microTime'): string {
  const at = readMoment(value)
  if (at === undefined) return value
  if (form === 'time' && value.length === wholeSecondsLength) return value
  const [, fraction = ''] = /\.(\d+)/.exec(value) ?? []
  const seconds = new Date(at).toISOString().slice(0, 19)
  return form === 'time' ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}
