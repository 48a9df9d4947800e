import type { Schema } from '../apiserver/meta/schema.ts'
import type { PublishedSchema } from './publishedSchema.ts'

// Keywords of a schema that are published unchanged, in order.
export const descriptive = ['description'] as const
export const typeWords = ['type', 'format'] as const
export const constraints = [
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'pattern',
] as const
export const extensions = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-unions',
] as const
/** Extensions of definitions; the shared definition of int-or-string has its own form. */
export const definitionExtensions = extensions.filter(
  (word) => word !== 'x-kubernetes-int-or-string',
)

/** Values of keywords in `schema`. */
export function copied(
  schema: Schema,
  words: readonly (keyof Schema & keyof PublishedSchema)[],
): PublishedSchema {
  const present = words.filter((word) => schema[word] !== undefined)
  // Sound: each keyword has the same type on both sides, by the constraint on `words`.
  return Object.fromEntries(present.map((word) => [word, schema[word]]))
}

/** Schema without some keywords. */
export function withoutWords(schema: Schema, words: readonly (keyof Schema)[]): Schema {
  const rest = Object.entries(schema).filter(([word]) => !words.some((one) => one === word))
  // Sound: every keyword of a schema is optional, and the remaining ones keep their values.
  return Object.fromEntries(rest)
}

/** Default, unless it contradicts the schema: strict readers refuse such documents. */
export function defaultOf(schema: Schema): PublishedSchema {
  const { default: value, required = [] } = schema
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && required.some((name) => !(name in value))) {
    return {}
  }
  return { default: value }
}
