import type { Schema, UrlForm } from '../meta/schema.ts'

/** Shorthands for the fields of a kind. All of them drop empty values, like the platform's types. */

export function string(description: string): Schema {
  return { type: 'string', description, omitEmpty: true }
}

/** A secret string. */
export function secretString(description: string): Schema {
  return secret(string(description))
}

/** A string that is a URL. */
export function url(form: UrlForm, description: string): Schema {
  return { ...string(description), url: form }
}

export function urlList(form: UrlForm, description: string): Schema {
  return listOf({ type: 'string', url: form }, description)
}

export function flag(description: string): Schema {
  return { type: 'boolean', description, omitEmpty: true }
}

/** A 64-bit integer used in arithmetic. */
export function integer(description: string): Schema {
  return { type: 'integer', format: 'int64', canonical: 'double', description, omitEmpty: true }
}

/** A 64-bit integer kept exactly as sent. */
export function exactInteger(description: string): Schema {
  return { type: 'integer', format: 'int64', description, omitEmpty: true }
}

/** RFC 3339. */
export function time(description: string): Schema {
  return { type: 'string', format: 'date-time', canonical: 'time', description, omitEmpty: true }
}

/** Arbitrary data in base64. */
export function bytes(description: string): Schema {
  return { type: 'string', format: 'byte', canonical: 'bytes', description, omitEmpty: true }
}

export function stringList(description: string): Schema {
  return listOf({ type: 'string' }, description)
}

export function listOf(items: Schema, description: string): Schema {
  return { type: 'array', items, description, omitEmpty: true }
}

export function mapOf(additionalProperties: Schema, description: string): Schema {
  return { type: 'object', additionalProperties, description, omitEmpty: true }
}

export function struct(
  properties: Readonly<Record<string, Schema>>,
  description: string,
  rest: Pick<Schema, 'required' | 'definition' | 'omitEmpty'> = {},
): Schema {
  return { type: 'object', description, properties, ...rest }
}

/** A field with a secret value; in a map, all values are secret. */
export function secret(schema: Schema): Schema {
  return { ...schema, secret: true }
}

/** The name of a kind or shape in OpenAPI: `com.example.v1.Widget` for example.com. */
export function definitionName(group: string, version: string, name: string): string {
  const reversed = group === '' ? 'io.k8s.api.core' : group.split('.').reverse().join('.')
  return `${reversed}.${version}.${name}`
}
