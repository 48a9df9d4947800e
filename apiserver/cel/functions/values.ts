import { isObject } from '../../meta/json/isObject.ts'
import type { Schema } from '../../meta/schema.ts'

/** Makes durations of the language. */
export interface Durations {
  /** undefined: the text is none. */
  durationOf(text: string): unknown
}

/** A value as rules see it: whole numbers are bigints, moments dates, and the names of fields are escaped where they are
 *  no identifiers. Source: Kubernetes documentation, "Validation rules", "Escaping". */
export function toCel(value: unknown, schema: Schema, durations: Durations): unknown {
  if (Array.isArray(value)) return listOf(value, schema, durations)
  if (isObject(value)) return members(value, schema, durations)
  if (typeof value === 'number') return numberOf(value, schema)
  if (typeof value === 'bigint' && schema.type === 'number') return Number(value)
  return typeof value === 'string' ? textOf(value, schema, durations) : value
}

/** The order of a set says nothing. */
function listOf(value: readonly unknown[], schema: Schema, durations: Durations): unknown {
  const items = value.map((item) => toCel(item, schema.items ?? {}, durations))
  const isSet = schema['x-kubernetes-list-type'] === 'set' && items.every(isScalar)
  return isSet ? new Set(items) : items
}

function isScalar(value: unknown): boolean {
  return ['string', 'bigint', 'number', 'boolean'].includes(typeof value)
}

function members(
  value: Record<string, unknown>,
  schema: Schema,
  durations: Durations,
): Record<string, unknown> | Map<string, unknown> {
  const { properties, additionalProperties } = schema
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const isDeclared = properties !== undefined && Object.hasOwn(properties, name)
    const of = isDeclared ? properties[name] : additionalProperties
    const made = toCel(member, of ?? {}, durations)
    const names = isDeclared || additionalProperties === undefined ? selectors(name) : [name]
    return names.map((one) => [one, made])
  })
  // The library knows a plain object by its constructor, which such a key hides.
  return Object.hasOwn(value, 'constructor') ? new Map(entries) : Object.fromEntries(entries)
}

function numberOf(value: number, { type }: Schema): bigint | number {
  return type !== 'number' && Number.isInteger(value) ? BigInt(value) : value
}

function textOf(value: string, { format }: Schema, durations: Durations): unknown {
  if (format === 'duration') return durations.durationOf(value) ?? value
  if (format === 'date-time' || format === 'date') {
    const at = new Date(value)
    return Number.isNaN(at.getTime()) ? value : at
  }
  return format === 'byte' ? new Uint8Array(Buffer.from(value, 'base64')) : value
}

const reserved = [
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function'],
  ...['if', 'import', 'let', 'loop', 'package', 'namespace', 'return'],
  ...['var', 'void', 'while'],
]

/** What a field can be selected by: words of the language also as they are, where a rule can write them. */
export function selectors(name: string): string[] {
  return reserved.includes(name) ? [`__${name}__`, name] : [escaped(name)]
}

function escaped(name: string): string {
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

/** A text that is the same for equal values, and for no others. */
export function celKey(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (value instanceof Date) return `d${value.getTime()}`
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `[${value.map(celKey).join(',')}]`
  if (value instanceof Set) return `[${[...value].map(celKey).sort().join(',')}]`
  const entries =
    value instanceof Map ? [...value] : isObject(value) ? Object.entries(value) : undefined
  if (entries === undefined) return String(value)
  return `{${entries
    .map(([name, member]) => `${celKey(name)}:${celKey(member)}`)
    .sort()
    .join(',')}}`
}
