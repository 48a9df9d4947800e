import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { PublishedSchema } from '../publishedSchema.ts'
import { withEnvelope } from './envelope.ts'
import { intOrStringJunctors } from './intOrString.ts'

export type Dialect = 'v2' | 'v3'

/** Keywords of a custom schema that both documents copy unchanged from the definition. */
const carried = [
  ...['description', 'title', 'format', 'enum', 'example', 'externalDocs', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
  'x-kubernetes-validations',
]

/**
 * Published schema of a custom kind. Version 2.0 has no junctors, defaults or nulls, and omits the
 * parts of schemas that may be null or unknown, because kubectl treats published fields as
 * complete.
 * Source: apiextensions, the builder of OpenAPI documents; seen on kube-apiserver 1.37.2.
 */
export function customSchema(props: JsonSchemaProps, dialect: Dialect): PublishedSchema {
  const isV2 = dialect === 'v2'
  const isEmpty = isV2 && props['x-kubernetes-preserve-unknown-fields'] === true
  return withEnvelope(isEmpty ? {} : schemaOf(props, dialect), dialect, { isOpen: isEmpty })
}

function schemaOf(props: JsonSchemaProps, dialect: Dialect): PublishedSchema {
  const shown = dialect === 'v2' ? withoutUnsaid(props) : props
  const schema: PublishedSchema = {
    ...said(shown),
    ...parts(shown, dialect),
    ...(dialect === 'v2' ? {} : { ...laterWords(props), ...junctors(props) }),
  }
  const isEmbedded = props['x-kubernetes-embedded-resource'] === true
  const isOpen = dialect === 'v2' && props['x-kubernetes-preserve-unknown-fields'] === true
  return isEmbedded && !isOpen ? withEnvelope(schema, dialect, { isEmbedded }) : schema
}

function said(props: JsonSchemaProps): PublishedSchema {
  const words = ['type', ...carried].filter((word) => isSaid(props[word]))
  return Object.fromEntries(words.map((word) => [word, doubled(word, props[word])]))
}

/** Bounds as doubles. */
function doubled(word: string, value: unknown): unknown {
  return typeof value === 'bigint' && !['enum', 'example'].includes(word) ? Number(value) : value
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === '' || value === false) return false
  return !(Array.isArray(value) && value.length === 0)
}

/** Keywords that do not exist in version 2.0. */
function laterWords({ nullable, default: value }: JsonSchemaProps): PublishedSchema {
  return { ...(nullable === true && { nullable }), ...(value !== undefined && { default: value }) }
}

function parts(props: JsonSchemaProps, dialect: Dialect): PublishedSchema {
  const { items, properties, additionalProperties: others } = props
  const additional = isObject(others) ? schemaOf(others, dialect) : others
  return {
    ...(isObject(items) && { items: schemaOf(items, dialect) }),
    ...(properties && Object.keys(properties).length > 0
      ? { properties: eachOf(properties, (one) => schemaOf(one, dialect)) }
      : {}),
    ...(additional === undefined ? {} : { additionalProperties: additional }),
  }
}

function eachOf(
  properties: Readonly<Record<string, JsonSchemaProps>>,
  write: (one: JsonSchemaProps) => PublishedSchema,
): Record<string, PublishedSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, write(one)]))
}

function junctors(props: JsonSchemaProps): PublishedSchema {
  const { allOf = [], anyOf = [], oneOf = [], not } = intOrStringJunctors(props)
  const each = (branches: readonly JsonSchemaProps[]) => branches.map(branch)
  return {
    ...(allOf.length > 0 && { allOf: each(allOf) }),
    ...(anyOf.length > 0 && { anyOf: each(anyOf) }),
    ...(oneOf.length > 0 && { oneOf: each(oneOf) }),
    ...(not && { not: branch(not) }),
  }
}

function branch(props: JsonSchemaProps): PublishedSchema {
  const { items, properties } = props
  return {
    ...said(props),
    ...junctors(props),
    ...(isObject(items) && { items: branch(items) }),
    ...(properties && { properties: eachOf(properties, branch) }),
  }
}

/** The schema without keywords that kubectl would misread in version 2.0. */
function withoutUnsaid(props: JsonSchemaProps): JsonSchemaProps {
  const { type, items, properties, ...rest } = props
  const isOpen = props['x-kubernetes-preserve-unknown-fields'] === true
  const isUnknown = isOpen || props.nullable === true
  const isTyped = props.nullable !== true && !(isOpen && type !== undefined && isContainer(type))
  return {
    ...rest,
    ...(isTyped && type !== undefined ? { type } : {}),
    ...(isUnknown || items === undefined ? {} : { items }),
    ...(isUnknown || properties === undefined ? {} : { properties }),
    required: requiredOf(props, isUnknown),
  }
}

function isContainer(type: string): boolean {
  return type === 'object' || type === 'array'
}

/**
 * Required fields, without nullable ones, which readers that do not support null must be able to
 * omit.
 */
function requiredOf(props: JsonSchemaProps, isUnknown: boolean): string[] {
  const { required = [], properties = {}, additionalProperties } = props
  if (isObject(additionalProperties) && additionalProperties['nullable'] === true) return []
  if (isUnknown) return required
  return required.filter((name) => properties[name]?.nullable !== true)
}
