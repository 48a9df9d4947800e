import {
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from '../meta/fieldErrors.ts'
import type { FieldError } from '../meta/fieldErrors.ts'
import { parseQuantity, quantityShapeText } from '../meta/quantity.ts'
import type { Schema } from '../meta/schema.ts'
import { objectSchema } from './canonicalForm.ts'
import type { ResourceDefinition } from './resource.ts'
import type { SchemaProblem } from './schemaProblem.ts'
import { requiredFields, schemaSize, typesOf, walkSchema } from './schemaWalk.ts'

/** From this size on a schema is walked for each value: compiling it would take a second and more. */
const walkedSize = 400

/** Checks a whole object against its schema. Compiling takes milliseconds, so it happens once, at first use. */
export class SchemaValidator {
  readonly #schema: Schema
  #compiled: Promise<Check> | undefined

  constructor(schema: Schema) {
    this.#schema = schema
  }

  /** Resolves to the check itself: one field error for each thing wrong, in document order; empty: valid. */
  load(): Promise<Check> {
    this.#compiled ??= checkOf(this.#schema)
    return this.#compiled
  }
}

const validators = new WeakMap<ResourceDefinition, SchemaValidator>()

/** The one validator of a resource. */
export function schemaValidatorOf(resource: ResourceDefinition): SchemaValidator {
  let validator = validators.get(resource)
  if (validator === undefined) {
    validator = new SchemaValidator(objectSchema(resource.schema))
    validators.set(resource, validator)
  }
  return validator
}

type Check = (value: unknown) => FieldError[]

async function checkOf(schema: Schema): Promise<Check> {
  if (schemaSize(schema, walkedSize) >= walkedSize) return walkedCheck(schema)
  return compiledCheck(schema)
}

/** The check by walking, for schemas of any size. */
export function walkedCheck(schema: Schema): Check {
  return (value) => walkSchema(value, schema, hasFormat).map(toFieldError)
}

/** The check by compiled code, which is made here. */
export async function compiledCheck(schema: Schema): Promise<Check> {
  const { Ajv } = await import('ajv')
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    // A member that every object inherits is none of its own.
    ownProperties: true,
    // It would write of unknown formats, which are allowed.
    logger: false,
    formats,
  })
  const validate = ajv.compile(jsonSchema(schema))
  return (value) => {
    if (validate(value)) return []
    return (validate.errors ?? []).map(toFieldError)
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const formats = {
  int32: { type: 'number' as const, validate: (n: number) => n >= -2147483648 && n <= 2147483647 },
  int64: { type: 'number' as const, validate: (n: number) => n >= -(2 ** 63) && n < 2 ** 63 },
  double: { type: 'number' as const, validate: () => true },
  byte: base64,
  'date-time': dateTime,
  quantity: (text: string) => parseQuantity(text) !== undefined,
}

const carried = [
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
] as const

function hasFormat(format: string, value: string | number): boolean {
  if (!isKnownFormat(format)) return true
  const known = formats[format]
  if (known instanceof RegExp) return typeof value !== 'string' || known.test(value)
  if (typeof known === 'function') return typeof value !== 'string' || known(value)
  return typeof value !== 'number' || known.validate(value)
}

function isKnownFormat(format: string): format is keyof typeof formats {
  return Object.hasOwn(formats, format)
}

/** The part of a schema that a value is checked against, in JSON Schema's words. */
function jsonSchema(schema: Schema): Record<string, unknown> {
  const { properties, items, additionalProperties } = schema
  const required = requiredFields(schema)
  const type = typesOf(schema)
  const members = Object.entries(properties ?? {}).map(([name, one]) => [name, jsonSchema(one)])
  return {
    ...carriedWords(schema),
    ...(type && { type }),
    ...(schema.canonical === 'quantity' && { format: 'quantity' }),
    ...(required.length > 0 && { required }),
    ...(items && { items: jsonSchema(items) }),
    ...(additionalProperties && { additionalProperties: jsonSchema(additionalProperties) }),
    ...(properties && { properties: Object.fromEntries(members) as unknown }),
  }
}

function carriedWords(schema: Schema): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const word of carried) if (schema[word] !== undefined) result[word] = schema[word]
  return result
}

/** Source: the texts of structural schema validation, as custom resources show them. */
function toFieldError(error: SchemaProblem): FieldError {
  const path = fieldPath(error)
  const value: unknown = error.data
  const inBody = (text: string) => `${path} in body ${text}`
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return requiredField(join(path, String(params['missingProperty'])))
    case 'type': {
      const wanted = [params['type']]
        .flat()
        .filter((type) => type !== 'null')
        .map(String)
        .join(' or ')
      const found = typeName(value)
      return typeInvalidField(path, found, inBody(`must be of type ${wanted}: "${found}"`))
    }
    case 'enum':
      return notSupportedField(path, value, [params['allowedValues']].flat())
    case 'format':
      return invalidField(path, value, inBody(formatText(String(params['format']), value)))
    case 'pattern':
      return invalidField(path, value, inBody(`should match '${String(params['pattern'])}'`))
    case 'maxLength':
      return tooLongField(path, Number(params['limit']))
    case 'maxItems':
      return tooManyField(path, Array.isArray(value) ? value.length : 0, Number(params['limit']))
    case 'maxProperties':
      return tooManyField(path, memberCount(value), Number(params['limit']))
    default:
      return otherError(error, path)
  }
}

/** What is said of a value beyond a bound. */
const boundTexts: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `should be greater than or equal to ${limit}`,
  maximum: (limit) => `should be less than or equal to ${limit}`,
  exclusiveMinimum: (limit) => `should be greater than ${limit}`,
  exclusiveMaximum: (limit) => `should be less than ${limit}`,
  multipleOf: (limit) => `should be a multiple of ${limit}`,
  minLength: (limit) => `should be at least ${limit} chars long`,
  minItems: (limit) => `should have at least ${limit} items`,
  minProperties: (limit) => `should have at least ${limit} properties`,
}

const junctors = ['anyOf', 'oneOf', 'allOf', 'not']

function otherError(error: SchemaProblem, path: string): FieldError {
  const { keyword, data, params } = error
  if (junctors.includes(keyword))
    return invalidField(path, data, `${JSON.stringify(path)} ${junctorText(error)}`)
  const text = otherText(error, Number(params['limit']))
  return invalidField(path, data, `${path} in body ${text}`)
}

function memberCount(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function junctorText({ keyword, params }: SchemaProblem): string {
  switch (keyword) {
    case 'anyOf':
      return 'must validate at least one schema (anyOf)'
    case 'oneOf':
      return `must validate one and only one schema (oneOf). ${String(params['found'])}`
    case 'allOf':
      return 'must validate all the schemas (allOf)'
    default:
      return 'must not validate the schema (not)'
  }
}

function otherText({ keyword, message }: SchemaProblem, limit: number): string {
  return boundTexts[keyword]?.(limit) ?? message ?? `breaks the rule ${keyword}`
}

function formatText(format: string, value: unknown): string {
  if (format === 'quantity') return quantityShapeText
  if (format === 'byte') return 'must be base64, RFC 4648 section 4'
  return `must be of type ${format}: ${JSON.stringify(value)}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

function fieldPath(error: SchemaProblem): string {
  let path = ''
  for (const segment of error.instancePath.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    path = /^\d+$/.test(name) ? `${path}[${name}]` : join(path, name)
  }
  return path === '' ? '<nil>' : path
}

function join(path: string, name: string): string {
  return path === '' || path === '<nil>' ? name : `${path}.${name}`
}
