import type { PublishedSchema } from '../publishedSchema.ts'
import { anyMessage, namedList, plainFields, vendorExtensions, type Message } from './message.ts'

/** Schema as the fields of `openapi.v2.Schema`. */
export function schemaMessage(schema: PublishedSchema): Message {
  return {
    ...plainFields(schema),
    ...childFields(schema),
    ...valueFields(schema),
    vendorExtension: vendorExtensions(schema),
  }
}

/** Child schemas. `properties` is set even when empty: it distinguishes an object without fields from a map. */
function childFields({ properties, items, additionalProperties }: PublishedSchema): Message {
  return {
    ...(properties && {
      properties: { additionalProperties: namedList(properties, schemaMessage) },
    }),
    ...(items && { items: { schema: [schemaMessage(items)] } }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: othersMessage(additionalProperties) }),
  }
}

function othersMessage(others: PublishedSchema | boolean): Message {
  return typeof others === 'boolean' ? { boolean: others } : { schema: schemaMessage(others) }
}

function valueFields(schema: PublishedSchema): Message {
  return {
    ...(schema.$ref === undefined ? {} : { _ref: schema.$ref }),
    ...(schema.type === undefined ? {} : { type: { value: [schema.type] } }),
    ...(schema.example === undefined ? {} : { example: anyMessage(schema.example) }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum.map(anyMessage) }),
    ...(schema.default === undefined ? {} : { default: anyMessage(schema.default) }),
  }
}
