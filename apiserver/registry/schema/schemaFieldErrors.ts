import {
  invalidField,
  notSupportedField,
  requiredField,
  ToldLength,
  tooLongField,
  tooManyField,
  typeInvalidField,
  untoldError,
} from '../../meta/fieldErrors.ts'
import { jsonText } from '../../meta/json/exactJson.ts'
import type { FieldError, FieldErrorReason } from '../../meta/fieldErrors.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { jsonTypeName } from '../../meta/json/jsonTypeName.ts'
import { quantityShapeText } from '../../meta/quantity.ts'
import type { SchemaProblem } from './schemaProblem.ts'

/**
 * The field errors of schema problems. Messages repeat parts of the schema and of the value, so
 * problems that will not be reported have none and are only counted.
 */
export function toFieldErrors(problems: readonly SchemaProblem[]): FieldError[] {
  const told = new ToldLength()
  return problems.map((problem) => {
    if (told.isSpent) return untoldError(reasonOf(problem))
    const error = toFieldError(problem)
    told.spend(error)
    return error
  })
}

/** Reasons of errors other than an invalid value. */
const reasons: Readonly<Record<string, FieldErrorReason>> = {
  required: 'FieldValueRequired',
  type: 'FieldValueTypeInvalid',
  enum: 'FieldValueNotSupported',
  stringFormat: 'FieldValueTypeInvalid',
  maxLength: 'FieldValueTooLong',
  maxItems: 'FieldValueTooMany',
  maxProperties: 'FieldValueTooMany',
}

function reasonOf({ keyword }: SchemaProblem): FieldErrorReason {
  return reasons[keyword] ?? 'FieldValueInvalid'
}

/** The field error of a schema problem. Source: the messages of structural schema validation for custom resources. */
function toFieldError(error: SchemaProblem): FieldError {
  const path = fieldPath(error)
  const value: unknown = error.data
  const inBody = (text: string) => `${path} in body ${text}`
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return requiredField(join(path, String(params['missingProperty'])))
    case 'type':
      return typeError(error, path)
    case 'enum':
      return notSupportedField(path, value, [params['allowedValues']].flat().map(jsonOf))
    case 'format':
      return invalidField(path, value, inBody(formatText(String(params['format']), value)))
    case 'stringFormat':
      return typeInvalidField(path, value, inBody(ofType(String(params['format']), String(value))))
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

/** Messages for values out of bounds. */
const boundTexts: Readonly<Record<string, (limit: number | string) => string>> = {
  minimum: (limit) => `should be greater than or equal to ${limit}`,
  maximum: (limit) => `should be less than or equal to ${limit}`,
  exclusiveMinimum: (limit) => `should be greater than ${limit}`,
  exclusiveMaximum: (limit) => `should be less than ${limit}`,
  multipleOf: (limit) => `should be a multiple of ${limit}`,
  minLength: (limit) => `should be at least ${limit} chars long`,
  minItems: (limit) => `should have at least ${limit} items`,
  minProperties: (limit) => `should have at least ${limit} properties`,
}

function otherError(error: SchemaProblem, path: string): FieldError {
  const { keyword, data, params } = error
  const words = String(params['text'])
  if (keyword === 'text') return invalidField('<nil>', '', words)
  if (keyword === 'forbiddenMember')
    return invalidField(path, data, `${words} in body is a forbidden property`)
  const limit = params['limit'] as number | string
  if (keyword === 'multipleOfSign') {
    const text = `factor MultipleOf declared for ${path} must be positive: ${limit}`
    return invalidField(path, data, text)
  }
  const text = `${path} in body ${otherText(error, limit)}`
  const { shown } = params
  return typeof shown === 'string'
    ? { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${shown}: ${text}` }
    : invalidField(path, counted(keyword, data), text)
}

/** Value in an error; for a value that is too small or too large, its size. */
function counted(keyword: string, value: unknown): unknown {
  if (keyword === 'minItems' && Array.isArray(value)) return value.length
  return keyword === 'minProperties' ? memberCount(value) : value
}

function memberCount(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function otherText({ keyword, message }: SchemaProblem, limit: number | string): string {
  return boundTexts[keyword]?.(limit) ?? message ?? `breaks the rule ${keyword}`
}

function formatText(format: string, value: unknown): string {
  if (format === 'quantity') return quantityShapeText
  if (format === 'byte') return 'must be base64, RFC 4648 section 4'
  return ofType(format, String(value))
}

/**
 * The error for a wrong type. If the schema has a validated format, the error names the format in
 * place of the type, and the format of a number in place of its type.
 */
function typeError({ params, data }: SchemaProblem, path: string): FieldError {
  const wanted = [params['type']].flat().filter((type) => type !== 'null')
  const { format } = params
  const found = typeof format === 'string' ? formatName(data) : typeName(data)
  const text = ofType(typeof format === 'string' ? format : wanted.join(','), found)
  return typeInvalidField(path, found, `${path} in body ${text}`)
}

/** Type of a value in messages; a number beyond the exact range of doubles is not an integer. */
function typeName(value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'number'
  return jsonTypeName(value)
}

function ofType(type: string, found: string): string {
  return `must be of type ${type}: ${goQuote(found)}`
}

/** Format to which a number is decoded; empty for any other value. */
export function formatName(value: unknown): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return 'int64'
  return typeof value === 'number' ? 'float64' : ''
}

/** Form of supported values, all of which are shown as strings. */
function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}

function fieldPath({ path: known, instancePath = '' }: SchemaProblem): string {
  if (known !== undefined) return known === '' ? '<nil>' : known.replace(/^\./, '')
  let path = ''
  for (const segment of instancePath.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    path = /^\d+$/.test(name) ? `${path}[${name}]` : join(path, name)
  }
  return path === '' ? '<nil>' : path
}

function join(path: string, name: string): string {
  return path === '' || path === '<nil>' ? name : `${path}.${name}`
}
