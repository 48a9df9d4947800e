import { isObject } from '../meta/json/isObject.ts'
import type { Schema } from '../meta/schema.ts'
import { fieldOf, holdsSecrets, redact, redacted } from './redaction.ts'

/** The schema of whole objects in bodies: the envelope is known and contains no secrets. */
export function bodySchema(schema: Schema): Schema {
  let whole = bodies.get(schema)
  if (whole === undefined) {
    whole = { ...schema, properties: { ...schema.properties, ...envelope } }
    bodies.set(schema, whole)
  }
  return whole
}

const envelope: Readonly<Record<string, Schema>> = {
  kind: { type: 'string' },
  apiVersion: { type: 'string' },
  metadata: {},
}
const bodies = new WeakMap<Schema, Schema>()

/** Redacts a request body: an object of the kind, a merge patch, or the operations of a JSON patch. */
export function redactRequest(value: unknown, schema: Schema | undefined): unknown {
  if (schema === undefined) return redact(value, undefined)
  const whole = bodySchema(schema)
  if (!Array.isArray(value)) return redact(value, isOptions(value) ? undefined : whole)
  return value.map((operation) => redactOperation(operation, whole))
}

/** Reports whether a body is deletion options, which have no fields of the kind. */
function isOptions(value: unknown): boolean {
  return isObject(value) && value['kind'] === 'DeleteOptions'
}

function redactOperation(operation: unknown, schema: Schema): unknown {
  if (!isObject(operation)) return redacted
  const { value } = operation
  const [op, path, from] = [operation['op'], operation['path'], operation['from']].map(shownText)
  if (!Object.hasOwn(operation, 'value'))
    return from === undefined ? { op, path } : { op, from, path }
  const names = typeof path === 'string' ? path.split('/').slice(1).map(unescaped) : []
  return { op, path, value: redactAt(value, schema, names) }
}

/** An object in place of a string is malformed and could contain anything. */
function shownText(value: unknown): unknown {
  return typeof value === 'object' ? redacted : value
}

/** Unescapes a JSON pointer segment. Source: RFC 6901. */
function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * Redacts a value at the path `names` below an object of the schema. The value is wrapped in nested
 * objects along the path, so that the same rules apply.
 */
function redactAt(value: unknown, schema: Schema, names: readonly string[]): unknown {
  const [name, ...rest] = names
  if (name === undefined) return redact(value, schema)
  if (schema.secret === true) return redacted
  if (!holdsSecrets(schema)) return redactNamedAt(value, names)
  const field = schema.items ?? fieldOf(schema, name)
  return field === undefined ? redacted : redactAt(value, field, rest)
}

function redactNamedAt(value: unknown, names: readonly string[]): unknown {
  const last = names.at(-1) ?? ''
  const shown = redact({ [last]: value }, undefined)
  return isObject(shown) ? shown[last] : redacted
}

/** Redacts a response body: an object, a list, a table or partial metadata of the kind, or a Status. */
export function redactResponse(value: unknown, schema: Schema | undefined): unknown {
  if (!isObject(value) || schema === undefined) return redact(value, undefined)
  if (value['kind'] === 'Status' && value['apiVersion'] === 'v1') return value
  const whole = bodySchema(schema)
  const { items, rows } = value
  if (Array.isArray(items)) {
    return { ...value, items: items.map((item) => redact(item, whole)) }
  }
  if (Array.isArray(rows)) return redactTable(value, rows, whole)
  return redact(value, whole)
}

/** Redacts all cells, since their source fields are unknown. */
function redactTable(
  table: Record<string, unknown>,
  rows: readonly unknown[],
  schema: Schema,
): Record<string, unknown> {
  const isGuarded = holdsSecrets(schema)
  const shown = rows.map((row) => {
    if (!isObject(row)) return redacted
    const object = redact(row['object'], schema)
    return isGuarded ? { object } : { ...row, object }
  })
  return { ...table, rows: shown }
}
