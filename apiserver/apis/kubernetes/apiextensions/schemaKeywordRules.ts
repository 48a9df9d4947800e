import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { JsonSchemaProps } from '../../../meta/jsonSchemaProps.ts'
import { listTypeRules } from './listTypeRules.ts'
import { propertyPath } from './structuralRules.ts'
import { ruleMessageErrors } from './ruleMessages.ts'

/** Position of a subschema within its schema. */
interface Place {
  path: string
  isRoot: boolean
  /** Reason why a default is not allowed. */
  noDefault?: string
}

/** Errors for schema keywords that have no effect here or contradict each other.
 *  Source: apiextensions, validation of the OpenAPI schema. */
export function schemaKeywordErrors(schema: JsonSchemaProps, place: Place): FieldError[] {
  const { path } = place
  return [
    ...unsupportedWords(schema, place),
    ...(schema.uniqueItems === true
      ? [
          forbiddenField(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...additionalErrors(schema, path),
    ...errorsBelow(schema, place),
    ...extensionErrors(schema, path),
    ...listTypeRules(schema, path),
    ...ruleMessageErrors(schema, path),
  ]
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

const unsupported = [
  ...['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'],
]

function unsupportedWords(schema: JsonSchemaProps, { path, noDefault }: Place): FieldError[] {
  const { type, items } = schema
  const errors: FieldError[] = []
  if (type !== undefined && !types.includes(type))
    errors.push(notSupportedField(`${path}.type`, type, types))
  if (schema.default !== undefined && noDefault !== undefined)
    errors.push(forbiddenField(`${path}.default`, `must not be set ${noDefault}`))
  for (const word of unsupported) {
    if (isGiven(word, schema[word]))
      errors.push(forbiddenField(`${path}.${word}`, `${word} is not supported`))
  }
  if (type === 'null') {
    const why = 'type cannot be set to null, use nullable as an alternative'
    errors.push(forbiddenField(`${path}.type`, why))
  }
  if (Array.isArray(items) && items.length > 0)
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'))
  return errors
}

/** Reports whether an unsupported keyword is used; some keywords may be empty. */
function isGiven(word: string, value: unknown): boolean {
  if (value === undefined || value === null) return false
  const mayBeEmpty = word === 'patternProperties' || word === 'definitions'
  return !mayBeEmpty || Object.keys(value).length > 0
}

function additionalErrors(
  { additionalProperties, properties = {} }: JsonSchemaProps,
  path: string,
): FieldError[] {
  if (additionalProperties === undefined || additionalProperties === true) return []
  if (Object.keys(properties).length === 0) return []
  const why = 'additionalProperties and properties are mutual exclusive'
  return [forbiddenField(`${path}.additionalProperties`, why)]
}

function errorsBelow(schema: JsonSchemaProps, { path, isRoot, noDefault }: Place): FieldError[] {
  const {
    items,
    properties = {},
    additionalProperties,
    allOf = [],
    anyOf = [],
    oneOf = [],
    not,
  } = schema
  const inherited = { isRoot: false, ...(noDefault === undefined ? {} : { noDefault }) }
  const parts: [unknown, Place][] = [
    [additionalProperties, { ...inherited, path: `${path}.additionalProperties` }],
    ...Object.entries(properties).map(([name, one]): [unknown, Place] => {
      const isMeta = isRoot && ['metadata', 'kind', 'apiVersion'].includes(name)
      const place = { ...inherited, path: propertyPath(path, name) }
      return [one, isMeta ? { ...place, noDefault: `in top-level ${name}` } : place]
    }),
    [not, { ...inherited, path: `${path}.not` }],
    ...[allOf, oneOf, anyOf].flatMap((branches, word) =>
      branches.map((one, at): [unknown, Place] => [
        one,
        { ...inherited, path: `${path}.${['allOf', 'oneOf', 'anyOf'][word] ?? ''}[${at}]` },
      ]),
    ),
    [items, { ...inherited, path: `${path}.items` }],
  ]
  return parts.flatMap(([part, place]) =>
    isObject(part) ? schemaKeywordErrors(part as JsonSchemaProps, place) : [],
  )
}

function extensionErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const preserve = schema['x-kubernetes-preserve-unknown-fields']
  const mapType = schema['x-kubernetes-map-type']
  const errors: FieldError[] = []
  if (preserve === false) {
    const at = `${path}.x-kubernetes-preserve-unknown-fields`
    errors.push(invalidField(at, false, 'must be true or undefined'))
  }
  if (mapType === undefined) return errors
  if (schema.type !== 'object') {
    const why = 'must be object if x-kubernetes-map-type is specified'
    errors.push(wrongType(schema, `${path}.type`, why))
  }
  if (mapType !== 'atomic' && mapType !== 'granular')
    errors.push(notSupportedField(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']))
  return errors
}

function wrongType({ type = '' }: JsonSchemaProps, path: string, why: string): FieldError {
  return type === '' ? requiredField(path, why) : invalidField(path, type, why)
}
