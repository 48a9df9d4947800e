import { jsonText } from '../../../meta/json/exactJson.ts'
import { goQuote } from '../../../meta/goQuote.ts'

/** Values formatted as by Go in messages; numbers of requests are floats. */

/** Go's formats of a value with a Go type that JSON lacks. */
export interface GoText {
  /** Format `%v`. */
  value: string
  /** Format `%#v`. */
  syntax: string
  /** Format `%T`. */
  type: string
}

/** Placeholder for such a value, which matches no type of a schema. */
export function foreignValue(text: GoText): symbol {
  return Symbol(JSON.stringify(text))
}

/** Formats of a result of foreignValue(). */
function foreignText({ description = '{}' }: symbol): GoText {
  return JSON.parse(description) as GoText // created above
}

/** Formats a number as `%v`, with an exponent for values of at least a million. */
export function goNumber(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  const size = String(Math.abs(power)).padStart(2, '0')
  return `${digits}e${power < 0 ? '-' : '+'}${size}`
}

/** Formats a value as `%v`. */
export function goValue(value: unknown): string {
  if (typeof value === 'number') return goNumber(value)
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (typeof value === 'symbol') return foreignText(value).value
  if (typeof value !== 'object') return jsonText(value)
  const members = sortedEntries(value).map(([name, member]) => `${name}:${goValue(member)}`)
  return `map[${members.join(' ')}]`
}

/** Formats a value as `%#v`. */
export function goSyntax(value: unknown): string {
  if (typeof value === 'number') return goNumber(value)
  if (typeof value === 'string') return goQuote(value)
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (typeof value === 'symbol') return foreignText(value).syntax
  if (typeof value !== 'object') return jsonText(value)
  const members = sortedEntries(value).map(
    ([name, member]) => `${goQuote(name)}:${goSyntax(member)}`,
  )
  return `map[string]interface {}{${members.join(', ')}}`
}

/** Formats the type of a value as `%T`. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'symbol') return foreignText(value).type
  return { number: 'float64', bigint: 'int64', boolean: 'bool' }[typeof value as string] ?? 'string'
}

/** Characters that Go's JSON does not escape, either. */
export const plainText = /^[\w .,:;/\-+*=@#!?()[\]{}|~^$%']*$/
const htmlUnsafe = /[<>&\u2028\u2029]/g

/**
 * JSON as written by Go's encoder: with sorted fields and Go's escapes.
 * Source: Go, encoding/json, "Marshal".
 */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = sortedEntries(value).map(
      ([name, member]) => `${goJson(name)}:${goJson(member)}`,
    )
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`
  return jsonText(value).replace(htmlUnsafe, unicodeEscape)
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareStrings(a, b))
}

/** Compares strings by code points, which is Go's order of UTF-8 bytes. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return codePointRank(x) - codePointRank(y)
  }
  return a.length - b.length
}

/** Rank of a UTF-16 unit: surrogates encode code points above all others. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
