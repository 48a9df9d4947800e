import { isObject } from '../meta/json/isObject.ts'
import { objectMetaSchema } from '../meta/objectMetaSchema.ts'
import type { Schema } from '../meta/schema.ts'
import { checkedFormat } from '../registry/schema/schemaDialect.ts'
import type { JsonSchemaProps } from '../meta/jsonSchemaProps.ts'

const either = 'x-kubernetes-int-or-string'

/** Keywords that have the same meaning in both schemas. */
const copiedWords = [
  ...(['description', 'type', 'default', 'enum', 'nullable', 'required'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
  ...(['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'] as const),
  ...(['minProperties', 'maxProperties', 'x-kubernetes-list-type'] as const),
  ...(['x-kubernetes-list-map-keys', 'x-kubernetes-map-type'] as const),
  ...(['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const),
  either,
] as const

/**
 * Purpose for which the schema is read. Defaults are only validated by its keywords: a format
 * counts as its type, whether or not it is enforced, and int-or-string allows any value. Source:
 * seen on kube-apiserver 1.37.2.
 */
export type Reading = 'values' | 'defaults'

/**
 * Schema of a kind, created from a structural schema; undeclared fields are pruned.
 * Source: Kubernetes documentation, "Structural schema", "Field pruning".
 */
export function structuralSchema(props: JsonSchemaProps, reading: Reading = 'values'): Schema {
  if (reading === 'values') return read(props, reading)
  let schema = forDefaults.get(props)
  if (schema === undefined) forDefaults.set(props, (schema = read(props, reading)))
  return schema
}

// Defaults may be nested: each is validated by its part of the schema, which is read once.
const forDefaults = new WeakMap<JsonSchemaProps, Schema>()

function read(props: JsonSchemaProps, reading: Reading): Schema {
  const words = copied(props, reading)
  const { items, additionalProperties } = props
  const isOpen = props['x-kubernetes-preserve-unknown-fields'] === true
  return {
    ...words,
    ...(isOpen ? {} : { prunes: true }),
    ...(isObject(items) ? { items: structuralSchema(items, reading), keepsNulls: true } : {}),
    ...mapOf(additionalProperties, reading),
    ...structure(props, reading),
    ...junctors(props, reading),
  }
}

/**
 * Schema of members that are allowed but not described. Their scalars are kept; everything else in
 * them is unknown and pruned.
 */
const unknownMember: Schema = { prunes: true }

function mapOf(additional: JsonSchemaProps['additionalProperties'], reading: Reading): Schema {
  if (isObject(additional)) {
    return { additionalProperties: structuralSchema(additional, reading), dropsNulls: true }
  }
  if (additional === undefined) return {}
  const members = { additionalProperties: unknownMember }
  return additional ? members : { ...members, forbidsOthers: true }
}

/** Structure of a value; objects without declared fields have none. */
function structure(props: JsonSchemaProps, reading: Reading): Schema {
  const { type, properties, additionalProperties } = props
  if (props['x-kubernetes-embedded-resource'] === true) return embedded(props, reading)
  if (properties === undefined)
    return type === 'object' && additionalProperties === undefined ? { properties: {} } : {}
  return { properties: members(properties, reading) }
}

/** Embedded object of any kind. */
function embedded({ properties = {} }: JsonSchemaProps, reading: Reading): Schema {
  const { apiVersion, kind, metadata: _metadata, ...rest } = members(properties, reading)
  return {
    properties: {
      apiVersion: apiVersion ?? {},
      kind: kind ?? {},
      metadata: objectMetaSchema,
      ...rest,
    },
  }
}

function members(
  properties: Readonly<Record<string, JsonSchemaProps>>,
  reading: Reading,
): Record<string, Schema> {
  const names = Object.keys(properties).sort()
  return Object.fromEntries(
    names.map((name) => [name, structuralSchema(properties[name] ?? {}, reading)]),
  )
}

/** Junctors (`allOf`, `anyOf`, `oneOf`, `not`) of a schema; int-or-string implies its own. */
function junctors(props: JsonSchemaProps, reading: Reading): Schema {
  const branch = (one: JsonSchemaProps) => valueSchema(one, reading)
  const { allOf, anyOf, oneOf, not } = props
  const all = allOf?.map(branch)
  return {
    ...(all && all.length > 0 ? { allOf: all } : {}),
    ...(anyOf && anyOf.length > 0 ? { anyOf: anyOf.map(branch) } : {}),
    ...(oneOf && oneOf.length > 0 ? { oneOf: oneOf.map(branch) } : {}),
    ...(not ? { not: branch(not) } : {}),
  }
}

/** Schema within a junctor, which validates values but does not describe their structure. */
function valueSchema(props: JsonSchemaProps, reading: Reading): Schema {
  const { items, properties } = props
  return {
    ...copied(props, reading),
    ...(isObject(items) ? { items: valueSchema(items, reading) } : {}),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, valueSchema(one, reading)]),
      ),
    }),
    ...junctors(props, reading),
  }
}

function copied(props: JsonSchemaProps, reading: Reading): Schema {
  const words = reading === 'values' ? copiedWords : copiedWords.filter((word) => word !== either)
  const entries = words
    .filter((word) => props[word] !== undefined)
    .map((word) => [word, bounded(word, props[word])])
  // Guaranteed by the validation of definitions: each keyword has the type and the values of
  // Schema.
  return { ...formatOf(props, reading), ...(Object.fromEntries(entries) as Schema) }
}

function formatOf(props: JsonSchemaProps, reading: Reading): Schema {
  const { type, format = '' } = props
  if (reading === 'defaults') return format === '' ? {} : { format }
  const isEither = props[either] === true
  const checked = checkedFormat(isEither ? undefined : type, format)
  return checked === undefined ? {} : { format: checked }
}

/**
 * Bound as a number, since values are compared as doubles, and no length exceeds the largest safe
 * integer.
 */
function bounded(word: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  if (/^(min|max)(Length|Items|Properties)$/.test(word)) return Number.MAX_SAFE_INTEGER
  return /^(minimum|maximum|multipleOf)$/.test(word) ? Number(value) : value
}
