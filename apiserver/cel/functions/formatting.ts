import { itemsOf } from '../values/lists.ts'
import { entriesOf, isMapping, type Mapping } from '../values/mapping.ts'
import { durationText, momentText } from '../values/moments.ts'
import { Duration, Timestamp, TypeValue, Unsigned } from '../values/scalars.ts'
import { visitText } from '../values/visits.ts'
import { withinCost } from './row.ts'

const clause = /%(?:%|(?:\.(\d{1,3}))?([sdfebxXo]))?/g

/**
 * String with its clauses replaced by values. Source: the language's extended library of strings,
 * version 2.
 */
export function formatted(format: string, list: unknown): string {
  const values = itemsOf(list) ?? []
  let at = 0
  const made = format.replaceAll(clause, (found: string, precision?: string, verb?: string) => {
    if (found === '%%') return '%'
    if (verb === undefined) {
      throw new Error(`could not parse formatting clause: unrecognized formatting clause ${found}`)
    }
    if (at >= values.length) throw new Error(`index ${at} out of range`)
    return clauseText(values[at++], verb, precision === undefined ? 6 : Number(precision))
  })
  return withinCost(made)
}

function clauseText(value: unknown, verb: string, precision: number): string {
  const text = clauseTexts[verb]?.(value, precision)
  if (text !== undefined) return text
  throw new Error(`error during formatting: %${verb} clause cannot take this value`)
}

/** Formatters by clause; undefined: the value is unsuitable. */
const clauseTexts: Readonly<
  Record<string, (value: unknown, precision: number) => string | undefined>
> = {
  s: textOf,
  d: (value) => wholeOf(value)?.toString(),
  f: (value, precision) => (typeof value === 'number' ? fixed(value, precision) : undefined),
  e: (value) => (typeof value === 'number' ? scientific(value) : undefined),
  b: (value) => (typeof value === 'boolean' ? String(Number(value)) : wholeOf(value)?.toString(2)),
  o: (value) => wholeOf(value)?.toString(8),
  x: hexadecimal,
  X: (value) => hexadecimal(value).toUpperCase(),
}

function wholeOf(value: unknown): bigint | undefined {
  if (value instanceof Unsigned) return value.value
  return typeof value === 'bigint' ? value : undefined
}

/** Number with digits in groups of three, as the API formats it. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value)
  const isHuge = Math.abs(value) >= 1e21
  const text = isHuge ? String(BigInt(value)) : value.toFixed(Math.min(precision, 100))
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const rest = isHuge ? '0'.repeat(Math.min(precision, 100)) : (fraction ?? '')
  return rest === '' ? grouped : `${grouped}.${rest}`
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Number such as `2.500000×10⁰⁰`, regardless of the requested precision. */
function scientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(6).split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  const raised = digits.replaceAll(/\d/g, (digit) => superscripts[Number(digit)] ?? '')
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`
}

function hexadecimal(value: unknown): string {
  const whole = wholeOf(value)
  if (whole !== undefined) return whole.toString(16)
  return Buffer.from(value instanceof Uint8Array ? value : String(value)).toString('hex')
}

/** Value in the format of `%s`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString() : partText(value)
}

/** Formatted value inside a list or map. */
function partText(value: unknown): string {
  return visitText(unboundedText(value))
}

function unboundedText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return value.toFixed(6)
  if (value === null) return 'null'
  if (value instanceof Timestamp) return momentText(value)
  if (value instanceof Duration) return durationText(value.nanoseconds)
  if (value instanceof TypeValue) return value.name
  if (value instanceof Unsigned) return String(value.value)
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString())}`
  const items = itemsOf(value)
  if (items !== undefined) return `[${items.map(partText).join(', ')}]`
  return isMapping(value) ? mapText(value) : scalarText(value)
}

function scalarText(value: unknown): string {
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : ''
}

function mapText(value: Mapping): string {
  const texts = [...entriesOf(value)].map(([name, one]) => `${partText(name)}:${partText(one)}`)
  return `{${texts.sort().join(', ')}}`
}
