import type { Schema } from '../../meta/schema.ts'

/** What a struct holds before it has any content: the fields that are always there, at every depth, and null for lists
 *  and maps that a client must send. Defaults come later, with decoding. A new value at every call.
 *  Source: what Go encodes of a struct that nobody filled. */
export function emptyForm({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const empty: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) {
    if (field.zero !== undefined && field.default === undefined) {
      empty[name] = isStruct(field.zero) ? emptyForm(field) : field.zero
    } else if (required.includes(name) && isCollection(field)) {
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
