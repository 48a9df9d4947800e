import { formatQuantity, parseQuantity } from '../meta/quantity.ts'
import type { Schema } from '../meta/schema.ts'

type Canonical = NonNullable<Schema['canonical']>

/** The one text of a value that may be written in several ways; what cannot be read is kept for validation to find.
 *  Source: apimachinery, Quantity, Time and MicroTime. */
export function canonicalValue(value: unknown, form: Canonical): unknown {
  if (form === 'quantity') return quantityText(value)
  return typeof value === 'string' ? timeText(value, form) : value
}

/** Amounts may be sent as numbers. */
function quantityText(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const quantity = parseQuantity(String(value))
  return quantity === undefined ? value : formatQuantity(quantity)
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/

/** In UTC; a JavaScript date has milliseconds, so the finer digits are taken from the text. */
function timeText(value: string, form: Exclude<Canonical, 'quantity'>): string {
  const [, fraction = ''] = moment.exec(value) ?? []
  const at = moment.test(value) ? Date.parse(value) : NaN
  if (Number.isNaN(at)) return value
  const seconds = new Date(at).toISOString().slice(0, 19)
  return form === 'time' ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}
