import type { Schema } from '../../meta/schema.ts'

/**
 * The content of an empty struct: mandatory fields at every depth, and null for lists and maps that a client must send.
 * Defaults are applied later, after decoding. Returns a new value at every call.
 * Source: Go's encoding of an empty struct.
 */
export function emptyForm({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const empty: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) {
    if (field.zero !== undefined && field.default === undefined) {
      empty[name] = isStruct(field.zero) ? emptyForm(field) : field.zero
    } else if (required.includes(name) && isCollection(field) && field.omitEmpty !== true) {
      empty[name] = null
    }
  }
  return empty
}

function isStruct(zero: unknown): boolean {
  return typeof zero === 'object' && zero !== null
}

function isCollection({ type, additionalProperties }: Schema): boolean {
  return type === 'array' || additionalProperties !== undefined
}
