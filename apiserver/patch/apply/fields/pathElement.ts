import { jsonText, parseExact } from '../../../meta/json/exactJson.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { compareStrings, goNumber, plainText } from '../typed/goText.ts'

/**
 * A path element in its fieldsV1 form: `f:<name>`, `k:{"key":"value"}` with the keys sorted, `v:<json>`, `i:<index>`.
 * The form is unique, so strings can be compared.
 * Source: structured-merge-diff, serialization of path elements; reference 3.11.
 */

const special = /\\(?:[bf]|.)|[<>&\u2028\u2029]/g

/** JSON in the form that the library writes inside elements. */
function elementJson(value: unknown): string {
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`
  return jsonText(value).replace(special, escape)
}

function escape(text: string): string {
  if (text.startsWith('\\') && text !== '\\b' && text !== '\\f') return text
  const code = text === '\\b' ? 8 : text === '\\f' ? 12 : text.charCodeAt(0)
  return `\\u${code.toString(16).padStart(4, '0')}`
}

export function valueElement(value: unknown): string {
  return `v:${elementJson(value)}`
}

/** The element of a keyed item. `keys` is not empty and in any order. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  const sorted = keys.length < 2 ? keys : [...keys].sort(([a], [b]) => compareStrings(a, b))
  const members = sorted.map(([name, value]) => `${JSON.stringify(name)}:${elementJson(value)}`)
  return `k:{${members.join(',')}}`
}

/**
 * The canonical form of an element from a client; undefined for an unknown kind of element.
 * @throws Error for an invalid element.
 */
export function canonicalElement(text: string): string | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  switch (text.charAt(0)) {
    case 'f':
      return text
    case 'v':
      return valueElement(parseExact(text.slice(2)))
    case 'k':
      return keyElement(keysOf(text))
    case 'i':
      return `i:${indexOf(text)}`
    default:
      return undefined
  }
}

function keysOf(element: string): [string, unknown][] {
  const keys: unknown = parseExact(element.slice(2))
  if (typeof keys !== 'object' || keys === null || Array.isArray(keys)) {
    throw new Error(`no keys: ${element}`)
  }
  return Object.entries(keys)
}

function indexOf(element: string): number {
  if (!/^i:[-+]?\d+$/.test(element)) throw new Error(`no index: ${element}`)
  return Number(element.slice(2))
}

const simpleKey = /^k:\{"\w+":"[\w.\-/:]*"\}$/

/** Compares elements by their order in a set: fields, keys, values, indices. */
export function compareElements(a: string, b: string): number {
  if (a === b) return 0
  const kind = a[0]
  if (kind !== b[0]) return rank(a) - rank(b)
  if (kind === 'f' || (kind === 'k' && simpleKey.test(a) && simpleKey.test(b))) {
    return compareStrings(a, b)
  }
  if (kind === 'i') return indexOf(a) - indexOf(b)
  if (kind === 'v') return compareValues(parseExact(a.slice(2)), parseExact(b.slice(2)))
  return compareKeys(keysOf(a), keysOf(b))
}

function rank(element: string): number {
  return 'fkvi'.indexOf(element.charAt(0))
}

function compareKeys(a: [string, unknown][], b: [string, unknown][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compareStrings(name, other[0]) || compareValues(value, other[1])
    if (order !== 0) return order
  }
  return a.length - b.length
}

const valueRanks = ['number', 'string', 'boolean', 'list', 'map', 'null']

function compareValues(a: unknown, b: unknown): number {
  const order = valueRank(a) - valueRank(b)
  if (order !== 0) return order
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  if (typeof a === 'object') return compareStrings(jsonText(a), jsonText(b))
  const [one, other] = [a, b] as [number | bigint, number | bigint] // or booleans, which compare alike
  return one < other ? -1 : Number(one > other)
}

function valueRank(value: unknown): number {
  return valueRanks.indexOf(valueKind(value))
}

function valueKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'bigint') return 'number'
  return typeof value === 'object' ? 'map' : typeof value
}

/** An element in messages: `.replicas`, `[name="a",port=80]`, `[="v"]`, `[0]`. */
export function elementString(element: string): string {
  switch (element.charAt(0)) {
    case 'f':
      return `.${element.slice(2)}`
    case 'k': {
      const keys = keysOf(element).map(([name, value]) => `${name}=${valueText(value)}`)
      return `[${keys.join(',')}]`
    }
    case 'v':
      return `[=${valueText(parseExact(element.slice(2)))}]`
    default:
      return `[${element.slice(2)}]`
  }
}

/** A path in messages. */
export function pathString(path: readonly string[]): string {
  return path.map(elementString).join('')
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number') return goNumber(value)
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`
  if (typeof value !== 'object' || value === null) return jsonText(value)
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member)}`)
    .join('')
}
