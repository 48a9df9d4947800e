import { readMoment } from '../../meta/moment.ts'
import { quantityText } from '../../meta/quantity.ts'
import type { Schema } from '../../meta/schema.ts'

/** The one text of a value that may be written in several ways; what cannot be read is kept for validation to find.
 *  Source: apimachinery, Quantity, Time and MicroTime; Go, base64.StdEncoding. */
export function canonicalValue(
  value: unknown,
  { canonical: form, roundsToMilli }: Schema,
): unknown {
  if (form === undefined) return value
  if (form === 'quantity') return amountText(value, roundsToMilli)
  if (form === 'double') return typeof value === 'bigint' ? Number(value) : value
  if (typeof value !== 'string') return value
  return form === 'bytes' ? bytesText(value) : timeText(value, form)
}

/** Amounts may be sent as numbers, and with spaces around them. */
function amountText(value: unknown, roundsToMilli: boolean | undefined): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    return value
  return quantityText(String(value).trim(), roundsToMilli) ?? value
}

/** Without the line breaks that tools put into base64, and without bits that stand for nothing at its end. */
function bytesText(value: string): string {
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value
  if (text.length % 4 !== 0 || !lastGroup.test(text)) return text
  const last = text.slice(-4)
  return text.slice(0, -4) + Buffer.from(last, 'base64').toString('base64')
}

const lastGroup = /[A-Za-z0-9+/]{2}[A-Za-z0-9+/=]=$/

/** In UTC; a JavaScript date has milliseconds, so the finer digits are taken from the text. */
function timeText(value: string, form: 'time' | 'microTime'): string {
  const at = readMoment(value)
  if (at === undefined) return value
  const [, fraction = ''] = /\.(\d+)/.exec(value) ?? []
  const seconds = new Date(at).toISOString().slice(0, 19)
  return form === 'time' ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}
