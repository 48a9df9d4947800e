import type { PublishedSchema } from '../publishedSchema.ts'
import { anyMessage, namedList, vendorExtensions, type Message } from './message.ts'

/** A schema as the fields of `openapi.v2.Schema`. */
export function schemaMessage(schema: PublishedSchema): Message {
  return {
    ...plainFields(schema),
    ...childFields(schema),
    ...valueFields(schema),
    vendorExtension: vendorExtensions(schema),
  }
}

/** Fields that are the same in both forms. */
const plainWords = [
  'format',
  'description',
  'maximum',
  'minimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'required',
] as const

function plainFields(schema: PublishedSchema): Message {
  const present = plainWords.filter((word) => schema[word] !== undefined)
  return Object.fromEntries(present.map((word) => [word, schema[word]]))
}

/** `properties` is set even when empty: readers tell an object without fields from a map by it. */
function childFields({ properties, items, additionalProperties }: PublishedSchema): Message {
  return {
    ...(properties && {
      properties: { additionalProperties: namedList(properties, schemaMessage) },
    }),
    ...(items && { items: { schema: [schemaMessage(items)] } }),
    ...(additionalProperties && {
      additionalProperties: { schema: schemaMessage(additionalProperties) },
    }),
  }
}

function valueFields(schema: PublishedSchema): Message {
  return {
    ...(schema.$ref === undefined ? {} : { _ref: schema.$ref }),
    ...(schema.type === undefined ? {} : { type: { value: [schema.type] } }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum.map(anyMessage) }),
    ...(schema.default === undefined ? {} : { default: anyMessage(schema.default) }),
  }
}
