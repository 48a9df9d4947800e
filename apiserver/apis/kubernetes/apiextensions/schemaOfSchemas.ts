import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, mapOf, struct, string, stringList } from '../../schema.ts'

const prefix = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
const definition = `${prefix}.JSONSchemaProps`

/** The schema of a schema, which holds itself. Source: Kubernetes API reference, JSONSchemaProps. */
export function jsonSchemaProps(): Schema {
  const words: Record<string, Schema> = {}
  const schema: Schema = { type: 'object', definition, properties: words }
  // Its words are known there, but not that it is an object.
  const orOther = (name: string, description: string): Schema => ({
    definition: `${definition}${name}`,
    description,
    properties: words,
  })
  Object.assign(words, {
    ...texts(),
    ...bounds(),
    ...values(),
    ...structure(schema, orOther),
    ...extensions(),
  })
  return schema
}

function texts(): Record<string, Schema> {
  return {
    id: string('Not supported.'),
    $schema: string('Not supported.'),
    $ref: { type: 'string', description: 'Not supported.' },
    description: string('What the value is.'),
    type: string('The type: object, array, string, integer, number or boolean.'),
    format: string('A format of the type: int32, date-time, byte and others.'),
    title: string('A short name.'),
  }
}

function bounds(): Record<string, Schema> {
  const number = (description: string): Schema => ({
    type: 'number',
    format: 'double',
    canonical: 'double',
    description,
  })
  const count = (description: string): Schema => ({ type: 'integer', format: 'int64', description })
  return {
    maximum: number('The greatest number.'),
    exclusiveMaximum: flag('The greatest number is out itself.'),
    minimum: number('The least number.'),
    exclusiveMinimum: flag('The least number is out itself.'),
    maxLength: count('The most characters.'),
    minLength: count('The fewest characters.'),
    pattern: string('A regular expression in the syntax of RE2 that a part of the text matches.'),
    maxItems: count('The most items.'),
    minItems: count('The fewest items.'),
    uniqueItems: flag('Not supported.'),
    multipleOf: number('What a number is a multiple of.'),
    maxProperties: count('The most fields.'),
    minProperties: count('The fewest fields.'),
  }
}

function values(): Record<string, Schema> {
  // A null says nothing here: it is left out.
  const anything = (description: string): Schema => ({
    description,
    'x-kubernetes-preserve-unknown-fields': true,
  })
  return {
    default: anything('What stands where the field is left out.'),
    enum: {
      ...listOf({ nullable: true, 'x-kubernetes-preserve-unknown-fields': true }, 'All values.'),
      'x-kubernetes-list-type': 'atomic',
    },
    example: anything('A value for documentation.'),
    nullable: flag('The value may be null.'),
  }
}

const orBoolean = 'boolean or JSON schema expected'

function structure(
  schema: Schema,
  orOther: (name: string, description: string) => Schema,
): Record<string, Schema> {
  const atomic = { 'x-kubernetes-list-type': 'atomic' } as const
  return {
    required: { ...stringList('Fields that are always there.'), ...atomic },
    items: orOther('OrArray', 'The schema of the items.'),
    allOf: { ...listOf(schema, 'All of these hold.'), ...atomic },
    oneOf: { ...listOf(schema, 'Exactly one of these holds.'), ...atomic },
    anyOf: { ...listOf(schema, 'At least one of these holds.'), ...atomic },
    not: { ...schema, description: 'This does not hold.' },
    properties: mapOf(schema, 'The schemas of the fields.'),
    additionalProperties: { ...orOther('OrBool', 'The schema of the values of a map.'), orBoolean },
    patternProperties: mapOf(schema, 'Not supported.'),
    dependencies: {
      ...mapOf(orOther('OrStringArray', 'Not supported.'), 'Not supported.'),
      // An empty one is refused, too.
      omitEmpty: false,
    },
    additionalItems: { ...orOther('OrBool', 'Not supported.'), orBoolean },
    definitions: mapOf(schema, 'Not supported.'),
    externalDocs: struct(
      { description: string('What is found there.'), url: string('Where it is.') },
      'Where more is said.',
      { definition: `${prefix}.ExternalDocumentation` },
    ),
  }
}

function extensions(): Record<string, Schema> {
  const atomic = { 'x-kubernetes-list-type': 'atomic' } as const
  const yes = (description: string): Schema => ({ type: 'boolean', description })
  return {
    'x-kubernetes-preserve-unknown-fields': yes('Fields that are not declared are kept.'),
    'x-kubernetes-embedded-resource': flag('The value is an object with a kind and metadata.'),
    'x-kubernetes-int-or-string': flag('The value is a whole number or a text.'),
    'x-kubernetes-list-map-keys': {
      ...stringList('The fields that tell items of a list of type map apart.'),
      ...atomic,
    },
    'x-kubernetes-list-type': { type: 'string', description: 'atomic, set or map.' },
    'x-kubernetes-map-type': { type: 'string', description: 'granular or atomic.' },
    'x-kubernetes-validations': {
      ...listOf(validationRule(), 'Rules that the value keeps.'),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['rule'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'rule',
    },
  }
}

function validationRule(): Schema {
  return struct(
    {
      rule: {
        type: 'string',
        description:
          'The expression; self is the value at the place of the schema, oldSelf what it was.',
        zero: '',
      },
      message: string('What is said where the rule does not hold.'),
      messageExpression: string('An expression that makes the message.'),
      reason: { type: 'string', description: 'The reason of the error.' },
      fieldPath: string('The field that the error is about, from the place of the schema.'),
      optionalOldSelf: { type: 'boolean', description: 'The rule is asked about new values too.' },
    },
    'A rule in the Common Expression Language.',
    { required: ['rule'], definition: `${prefix}.ValidationRule` },
  )
}
