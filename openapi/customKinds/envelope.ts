import type { PublishedSchema } from '../publishedSchema.ts'
import { shared } from '../sharedDefinitions.ts'

/** Fields of every object, with the descriptions that API clients know. */
const conventions =
  'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

const own = {
  apiVersion: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  kind: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
}

const embedded = {
  apiVersion: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
  kind: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
}

const prefixes = { v2: '#/definitions/', v3: '#/components/schemas/' } as const

type Dialect = keyof typeof prefixes

/**
 * `kind`, `apiVersion` and `metadata` of a custom kind, or of an object inside one. `isOpen`: true
 * if its fields are not described.
 */
export function withEnvelope(
  schema: PublishedSchema,
  dialect: Dialect,
  { isOpen = false, isEmbedded = false }: { isOpen?: boolean; isEmbedded?: boolean },
): PublishedSchema {
  if (isOpen) return { ...schema, type: 'object' }
  const words = isEmbedded ? embedded : own
  const { required = [], properties = {} } = schema
  const missing = ['kind', 'apiVersion'].filter((name) => !required.includes(name))
  return {
    ...schema,
    ...(isEmbedded && { required: [...required, ...missing] }),
    properties: {
      ...properties,
      ...envelopeOf(words),
      metadata: referred(
        shared.objectMeta.definition,
        dialect,
        `Standard object's metadata. More info: ${conventions}#metadata`,
      ),
    },
  }
}

function envelopeOf(words: typeof own): Record<string, PublishedSchema> {
  return {
    apiVersion: { type: 'string', description: words.apiVersion },
    kind: { type: 'string', description: words.kind },
  }
}

/** Reference with a description; 3.0 ignores the siblings of a reference. */
function referred(name: string, dialect: Dialect, description: string): PublishedSchema {
  const reference = { $ref: prefixes[dialect] + name }
  return dialect === 'v2' ? { ...reference, description } : { allOf: [reference], description }
}

export function customListSchema(
  { kind, listKind, plural, definition }: CustomNames,
  dialect: Dialect,
): PublishedSchema {
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...envelopeOf(own),
      items: {
        description: `List of ${plural}. More info: ${conventions}`,
        type: 'array',
        items: { $ref: prefixes[dialect] + definition },
      },
      metadata: referred(
        shared.listMeta.definition,
        dialect,
        `Standard list metadata. More info: ${conventions}#types-kinds`,
      ),
    },
  }
}

export interface CustomNames {
  kind: string
  listKind: string
  plural: string
  definition: string
}
