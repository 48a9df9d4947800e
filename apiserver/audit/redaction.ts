import { isDeepContent } from '../meta/json/deepContent.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { Schema } from '../meta/schema.ts'

/** The string that replaces a secret. */
export const redacted = '[redacted]'

/**
 * A copy of a value without its secrets: fields that the schema marks as secret and, anywhere,
 * fields with the name of a secret. In a kind with secret fields, fields that are unknown or have
 * another type are redacted as well, since a misspelt field may contain a secret. Never throws, for
 * any value.
 */
export function redact(value: unknown, schema: Schema | undefined): unknown {
  const guarded = schema !== undefined && holdsSecrets(schema) ? schema : undefined
  return guarded === undefined ? walk(value, redactNamed) : redactGuarded(value, guarded)
}

/** Reports whether a schema has secret fields. */
export function holdsSecrets(schema: Schema): boolean {
  let answer = known.get(schema)
  if (answer === undefined) {
    // Only the result for the root is cached, since intermediate results within a recursive schema
    // are incomplete.
    answer = holds(schema, new Set())
    known.set(schema, answer)
  }
  return answer
}

const known = new WeakMap<Schema, boolean>()

function holds(schema: Schema, seen: Set<Schema>): boolean {
  if (schema.secret === true) return true
  if (seen.has(schema)) return false
  seen.add(schema)
  return childrenOf(schema).some((child) => holds(child, seen))
}

function childrenOf({ properties, items, additionalProperties }: Schema): Schema[] {
  const children = [...Object.values(properties ?? {}), items, additionalProperties]
  return children.filter((child) => child !== undefined)
}

function redactGuarded(value: unknown, schema: Schema): unknown {
  if (schema.secret === true) return hidden(value)
  if (isTooDeep(value)) return redacted
  if (!holdsSecrets(schema)) return walk(value, redactNamed)
  if (Array.isArray(value)) {
    const { items } = schema
    return value.map((item) => (items === undefined ? hidden(item) : redactGuarded(item, items)))
  }
  if (!isObject(value)) return hidden(value)
  return mapped(value, (name, member) => {
    const field = fieldOf(schema, name)
    return field === undefined ? hidden(member) : redactGuarded(member, field)
  })
}

/**
 * The schema of a member. For kind, apiVersion and metadata, that of the envelope if the kind's
 * schema has none.
 */
export function fieldOf(schema: Schema, name: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema
  if (Object.hasOwn(properties, name)) return properties[name]
  return additionalProperties
}

/** Redacts a value; the keys of a map are kept, since they are not secret. */
function hidden(value: unknown): unknown {
  if (value === null || value === undefined) return value
  return isObject(value) && !isTooDeep(value) ? mapped(value, () => redacted) : redacted
}

/** Names of fields that hold secrets in any object. */
const secretNames =
  /^(.*(password|passwd|secretkey|privatekey|clientsecret|bearertoken|accesstoken|refreshtoken|idtoken|accesskey)|token|bindpw|kubeconfig|client-key-data|connectordata|authorization|last-applied-configuration)$/i

/** The annotation in which kubectl keeps the whole object. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

function redactNamed(name: string, value: unknown): unknown {
  const isSecret = name === lastApplied || secretNames.test(name)
  if (isSecret && typeof value === 'string' && value !== '') return redacted
  return walk(value, redactNamed)
}

/** Reports whether a value is too deeply nested to be searched. */
function isTooDeep(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isDeepContent(value)
}

function walk(value: unknown, member: (name: string, value: unknown) => unknown): unknown {
  if (isTooDeep(value)) return redacted
  if (Array.isArray(value)) return value.map((item) => walk(item, member))
  return isObject(value) ? mapped(value, member) : value
}

function mapped(
  value: Record<string, unknown>,
  member: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, found]) => [name, member(name, found)]),
  )
}
