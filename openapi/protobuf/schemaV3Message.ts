import type { PublishedSchema } from '../publishedSchema.ts'
import { anyMessage, namedList, plainFields, vendorExtensions, type Message } from './message.ts'

/**
 * Schema as `openapi.v3.SchemaOrReference`. A reference has no siblings there: the dialect wraps references with
 * additions.
 */
export function schemaV3Message(schema: PublishedSchema): Message {
  if (schema.$ref !== undefined) return { reference: { _ref: schema.$ref } }
  return {
    schema: {
      ...plainFields(schema),
      ...childFields(schema),
      ...valueFields(schema),
      specificationExtension: vendorExtensions(schema),
    },
  }
}

/** Child schemas. `properties` is set even when empty: it distinguishes an object without fields from a map. */
function childFields(schema: PublishedSchema): Message {
  const { properties, items, additionalProperties, allOf, oneOf, anyOf, not } = schema
  return {
    ...(properties && {
      properties: { additionalProperties: namedList(properties, schemaV3Message) },
    }),
    ...(items && { items: { schemaOrReference: [schemaV3Message(items)] } }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: othersMessage(additionalProperties) }),
    ...(allOf && { allOf: allOf.map(schemaV3Message) }),
    ...(oneOf && { oneOf: oneOf.map(schemaV3Message) }),
    ...(anyOf && { anyOf: anyOf.map(schemaV3Message) }),
    ...(not && { not: schemaV3Message(not)['schema'] }),
  }
}

function othersMessage(others: PublishedSchema | boolean): Message {
  return typeof others === 'boolean'
    ? { boolean: others }
    : { schemaOrReference: schemaV3Message(others) }
}

function valueFields(schema: PublishedSchema): Message {
  return {
    ...(schema.type === undefined ? {} : { type: schema.type }),
    ...(schema.nullable === true ? { nullable: true } : {}),
    ...(schema.example === undefined ? {} : { example: anyMessage(schema.example) }),
    ...(schema.enum === undefined ? {} : { enum: schema.enum.map(anyMessage) }),
    ...(schema.default === undefined ? {} : { default: defaultMessage(schema.default) }),
  }
}

/** Default of a schema; lists and objects cannot be encoded, only their presence. */
function defaultMessage(value: unknown): Message {
  if (typeof value === 'number' || typeof value === 'bigint') return { number: Number(value) }
  if (typeof value === 'boolean') return { boolean: value }
  return typeof value === 'string' ? { string: value } : {}
}
