import { isObject } from '../meta/json/isObject.ts'
import { objectMetaSchema } from '../meta/objectMetaSchema.ts'
import type { Schema } from '../meta/schema.ts'
import { checkedFormat } from '../registry/schema/schemaDialect.ts'
import type { JsonSchemaProps } from '../meta/jsonSchemaProps.ts'

/** The words that mean the same in both. */
const copiedWords = [
  ...(['description', 'type', 'default', 'enum', 'nullable', 'required'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const),
  ...(['minProperties', 'maxProperties', 'x-kubernetes-list-type'] as const),
  ...(['x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const),
  ...(['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const),
  'x-kubernetes-int-or-string',
] as const

/** A structural schema as the schema of a kind: what it does not declare is pruned.
 *  Source: Kubernetes documentation, "Structural schema", "Field pruning". */
export function structuralSchema(props: JsonSchemaProps): Schema {
  const words = copied(props)
  const { items, additionalProperties } = props
  const isOpen = props['x-kubernetes-preserve-unknown-fields'] === true
  return {
    ...words,
    ...(isOpen ? {} : { prunes: true }),
    ...(isObject(items) ? { items: structuralSchema(items), keepsNulls: true } : {}),
    ...mapOf(additionalProperties),
    ...structure(props),
    ...junctors(props),
  }
}

/** Members of which the schema only says whether they are allowed keep their scalars; what they hold is unknown. */
const unknownMember: Schema = { prunes: true }

function mapOf(additional: JsonSchemaProps['additionalProperties']): Schema {
  if (isObject(additional)) {
    return { additionalProperties: structuralSchema(additional), dropsNulls: true }
  }
  if (additional === undefined) return {}
  const members = { additionalProperties: unknownMember }
  return additional ? members : { ...members, forbidsOthers: true }
}

/** Objects without a word about their fields have none. */
function structure(props: JsonSchemaProps): Schema {
  const { type, properties, additionalProperties } = props
  if (props['x-kubernetes-embedded-resource'] === true) return embedded(props)
  if (properties === undefined)
    return type === 'object' && additionalProperties === undefined ? { properties: {} } : {}
  return { properties: members(properties) }
}

/** An object of some kind inside another. */
function embedded({ properties = {} }: JsonSchemaProps): Schema {
  const { apiVersion, kind, metadata: _metadata, ...rest } = members(properties)
  return {
    properties: {
      apiVersion: apiVersion ?? {},
      kind: kind ?? {},
      metadata: objectMetaSchema,
      ...rest,
    },
  }
}

function members(properties: Readonly<Record<string, JsonSchemaProps>>): Record<string, Schema> {
  const names = Object.keys(properties).sort()
  return Object.fromEntries(names.map((name) => [name, structuralSchema(properties[name] ?? {})]))
}

/** int-or-string says by itself what its junctor does. */
function junctors(props: JsonSchemaProps): Schema {
  const { allOf, anyOf, oneOf, not } = props
  const all = allOf?.map(valueSchema)
  return {
    ...(all && all.length > 0 ? { allOf: all } : {}),
    ...(anyOf && anyOf.length > 0 ? { anyOf: anyOf.map(valueSchema) } : {}),
    ...(oneOf && oneOf.length > 0 ? { oneOf: oneOf.map(valueSchema) } : {}),
    ...(not ? { not: valueSchema(not) } : {}),
  }
}

/** A schema below a junctor checks values and says nothing of their structure. */
function valueSchema(props: JsonSchemaProps): Schema {
  const { items, properties } = props
  return {
    ...copied(props),
    ...(isObject(items) ? { items: valueSchema(items) } : {}),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, valueSchema(one)]),
      ),
    }),
    ...junctors(props),
  }
}

function copied(props: JsonSchemaProps): Schema {
  const entries = copiedWords
    .filter((word) => props[word] !== undefined)
    .map((word) => [word, bounded(word, props[word])])
  // The kind of the definition has checked that each word has the type and the values it has in Schema.
  return { ...formatOf(props), ...(Object.fromEntries(entries) as Schema) }
}

function formatOf(props: JsonSchemaProps): Schema {
  const { type, format = '' } = props
  const isEither = props['x-kubernetes-int-or-string'] === true
  const checked = checkedFormat(isEither ? undefined : type, format)
  return checked === undefined ? {} : { format: checked }
}

/** Bound as a number: values are compared as doubles, and no length exceeds the largest safe integer. */
function bounded(word: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  if (/^(min|max)(Length|Items|Properties)$/.test(word)) return Number.MAX_SAFE_INTEGER
  return /^(minimum|maximum|multipleOf)$/.test(word) ? Number(value) : value
}
