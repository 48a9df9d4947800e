import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import { patternLengthErrors } from './patternBounds.ts'
import { patternOf } from '../../../registry/formats/goPattern.ts'
import type { JsonSchemaProps } from '../../../meta/jsonSchemaProps.ts'

type Level = 'root' | 'item' | 'field'

/**
 * Errors that make a schema non-structural: every value needs a type, and every field must be specified or preserved.
 * Source: Kubernetes documentation, "Specifying a structural schema"; messages of apiextensions.
 */
export function structuralErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const errors = [
    ...invariantErrors(schema, 'root', path),
    ...junctorCompleteness(schema, { schema, path }, path),
  ]
  return errors.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`
}

function invariantErrors(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const { type, items, properties = {}, additionalProperties } = schema
  return [
    ...(type === 'array' && !isObject(items)
      ? [requiredField(`${path}.items`, 'must be specified')]
      : []),
    ...(isObject(items) ? invariantErrors(items, 'item', `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, property]) =>
      invariantErrors(property, 'field', propertyPath(path, name)),
    ),
    ...(additionalProperties !== undefined && level === 'root'
      ? [forbiddenField(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(isObject(additionalProperties)
      ? invariantErrors(additionalProperties, 'field', `${path}.additionalProperties`)
      : []),
    ...extensionErrors(schema, path),
    ...valueErrors(schema, path),
    ...typeErrors(schema, level, path),
    ...metadataErrors(schema, level, path),
  ]
}

export function propertyPath(path: string, name: string): string {
  return `${path}.properties[${name}]`
}

function extensionErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  const others = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const
  return others
    .filter((word) => schema[word] === true)
    .map((word) =>
      invalidField(`${path}.${word}`, true, 'must be false if x-kubernetes-int-or-string is true'),
    )
}

const missingTypes: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function typeErrors(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const { type = '' } = schema
  const at = `${path}.type`
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const errors: FieldError[] = []
  if (isEmbedded && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? requiredField(at, why) : invalidField(at, type, why))
  } else if (type === '' && !mayBeUntyped(schema))
    errors.push(requiredField(at, missingTypes[level]))
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const why = 'must not be used if x-kubernetes-embedded-resource is set'
    errors.push(forbiddenField(`${path}.additionalProperties`, why))
  }
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalidField(at, type, 'must be object at the root'))
  return errors
}

function mayBeUntyped(schema: JsonSchemaProps): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  )
}

function metadataErrors(schema: JsonSchemaProps, level: Level, path: string): FieldError[] {
  const { properties = {} } = schema
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  if (level !== 'root' && !isEmbedded) return []
  const { metadata } = properties
  const errors = envelopeErrors(properties, path)
  if (level === 'root' && metadata !== undefined && !restrictsNamesOnly(metadata)) {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified'
    errors.push(forbiddenField(propertyPath(path, 'metadata'), why))
  }
  const isClosed = schema['x-kubernetes-preserve-unknown-fields'] !== true
  if (isEmbedded && isClosed && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(requiredField(`${path}.properties`, why))
  }
  return errors
}

const envelope = { kind: 'string', apiVersion: 'string', metadata: 'object' } as const

function envelopeErrors(
  properties: Readonly<Record<string, JsonSchemaProps>>,
  path: string,
): FieldError[] {
  return Object.entries(envelope).flatMap(([name, type]) => {
    const property = properties[name]
    if (property === undefined || property.type === type) return []
    const at = `${propertyPath(path, name)}.type`
    return [invalidField(at, property.type ?? '', `must be ${type}`)]
  })
}

function restrictsNamesOnly({ type: _type, properties = {}, ...rest }: JsonSchemaProps): boolean {
  return (
    Object.keys(rest).length === 0 &&
    Object.keys(properties).every((name) => name === 'name' || name === 'generateName')
  )
}

/** Reports whether a junctor is that of int-or-string, which may repeat its types. */
function isIntOrStringJunctor(branches: readonly JsonSchemaProps[] | undefined): boolean {
  return JSON.stringify(branches) === '[{"type":"integer"},{"type":"string"}]'
}

/** Errors below junctors, where values may be validated but need no structure. */
function valueErrors(
  schema: JsonSchemaProps,
  path: string,
  { isNested = false } = {},
): FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not, pattern } = schema
  const nested = (branches: readonly JsonSchemaProps[], word: string) =>
    branches.flatMap((branch, at) =>
      !isNested && at === 0 && word === 'allOf' && isIntOrStringJunctor(branch.anyOf)
        ? []
        : nestedErrors(branch, `${path}.${word}[${at}]`),
    )
  return [
    ...(!isNested && isIntOrStringJunctor(anyOf) ? [] : nested(anyOf, 'anyOf')),
    ...nested(allOf, 'allOf'),
    ...nested(oneOf, 'oneOf'),
    ...(not === undefined ? [] : nestedErrors(not, `${path}.not`)),
    ...(pattern === undefined ? [] : patternErrors(pattern, `${path}.pattern`)),
  ]
}

function patternErrors(pattern: string, path: string): FieldError[] {
  const tooLong = patternLengthErrors(pattern, path)
  if (tooLong.length > 0) return tooLong
  try {
    patternOf(pattern)
    return []
  } catch (error) {
    const why = messageOf(error)
    return [invalidField(path, pattern, `must be a valid regular expression, but isn't: ${why}`)]
  }
}

/** Keywords allowed only in the structure, with the errors for them elsewhere. */
const structureWords: readonly [string, string][] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function nestedErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const { items, properties = {} } = schema
  return [
    ...valueErrors(schema, path, { isNested: true }),
    ...(isObject(items) ? nestedErrors(items, `${path}.items`) : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      nestedErrors(one, propertyPath(path, name)),
    ),
    ...structureWords
      .filter(([word]) => schema[word] !== undefined && schema[word] !== false)
      .map(([word, why]) => forbiddenField(`${path}.${word}`, why)),
    ...(properties['metadata'] === undefined
      ? []
      : [
          forbiddenField(
            propertyPath(path, 'metadata'),
            'must not be specified in a nested context',
          ),
        ]),
  ]
}

interface Structure {
  schema: JsonSchemaProps | undefined
  path: string
}

/** Errors for fields that the root's junctors validate but its structure lacks. */
function junctorCompleteness(
  { allOf = [], anyOf = [], oneOf = [], not }: JsonSchemaProps,
  structure: Structure,
  path: string,
): FieldError[] {
  const each = (branches: readonly JsonSchemaProps[], word: string) =>
    branches.flatMap((one, at) => nestedCompleteness(one, structure, `${path}.${word}[${at}]`))
  return [
    ...(not === undefined ? [] : nestedCompleteness(not, structure, `${path}.not`)),
    ...each(allOf, 'allOf'),
    ...each(anyOf, 'anyOf'),
    ...each(oneOf, 'oneOf'),
  ]
}

function nestedCompleteness(
  nested: JsonSchemaProps,
  structure: Structure,
  path: string,
): FieldError[] {
  const { schema } = structure
  if (schema === undefined)
    return [requiredField(structure.path, `because it is defined in ${path}`)]
  const { items, properties = {} } = nested
  const below = (one: JsonSchemaProps, part: Structure, at: string) =>
    nestedCompleteness(one, part, at)
  return [
    ...junctorCompleteness(nested, structure, path),
    ...(isObject(items)
      ? below(
          items,
          {
            schema: isObject(schema.items) ? schema.items : undefined,
            path: `${structure.path}.items`,
          },
          `${path}.items`,
        )
      : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      below(
        one,
        { schema: schema.properties?.[name], path: propertyPath(structure.path, name) },
        propertyPath(path, name),
      ),
    ),
  ]
}
