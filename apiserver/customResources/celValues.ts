import { isObject } from '../meta/isObject.ts'
import type { Schema } from '../meta/schema.ts'

/** A value as rules see it: whole numbers are bigints, moments dates, and the names of fields are escaped where they are
 *  no identifiers. Source: Kubernetes documentation, "Validation rules", "Escaping". */
export function toCel(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema.items ?? {}))
  if (isObject(value)) return members(value, schema)
  if (typeof value === 'number') return numberOf(value, schema)
  return typeof value === 'string' ? textOf(value, schema) : value
}

function members(value: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const { properties, additionalProperties } = schema
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (properties !== undefined && Object.hasOwn(properties, name)) {
      return [escaped(name), toCel(member, properties[name] ?? {})]
    }
    return additionalProperties === undefined
      ? [escaped(name), toCel(member, {})]
      : [name, toCel(member, additionalProperties)]
  })
  return Object.fromEntries(entries)
}

function numberOf(value: number, { type }: Schema): bigint | number {
  return type !== 'number' && Number.isInteger(value) ? BigInt(value) : value
}

function textOf(value: string, { format }: Schema): unknown {
  if (format === 'date-time' || format === 'date') {
    const at = new Date(value)
    return Number.isNaN(at.getTime()) ? value : at
  }
  return format === 'byte' ? new Uint8Array(Buffer.from(value, 'base64')) : value
}

const reserved = [
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function'],
  ...['if', 'import', 'let', 'loop', 'package', 'namespace', 'return'],
]

function escaped(name: string): string {
  if (reserved.includes(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}
