import { jsonText } from './json/exactJson.ts'
import { goFloat } from './goFloat.ts'
import { goQuote } from './goQuote.ts'

/** A validation error of a field: a cause of a 422. Source: reference 2.5. */
export interface FieldError {
  reason: FieldErrorReason
  /** Field path: `spec.list[0].name`, `metadata.labels[foo]`. */
  field: string
  /** The cause's message, without the path. */
  message: string
}

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTypeInvalid'
  | 'InternalError'

const detailed = (detail: string) => (detail === '' ? '' : `: ${detail}`)

export function requiredField(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: `Required value${detailed(detail)}` }
}

export function invalidField(field: string, value: unknown, detail = ''): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field,
    message: `Invalid value: ${show(value)}${detailed(detail)}`,
  }
}

/** Error of a value that is not shown. */
export function valuelessField(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${detail}` }
}

export function typeInvalidField(field: string, value: unknown, detail = ''): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: `Invalid value: ${show(value)}${detailed(detail)}`,
  }
}

export function notSupportedField(
  field: string,
  value: unknown,
  supported: readonly unknown[],
): FieldError {
  const message = `Unsupported value: ${show(value)}: supported values: ${supported.map(show).join(', ')}`
  return { reason: 'FieldValueNotSupported', field, message }
}

export function duplicateField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${show(value)}` }
}

export function notFoundField(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${show(value)}` }
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden${detailed(detail)}` }
}

/** An error of the server itself about a field. */
export function internalField(field: string, problem: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${problem}` }
}

/**
 * Error of a value above its maximum, which is omitted if negative. Source: apimachinery,
 * field.TooLong.
 */
export function tooLongField(field: string, maxBytes: number): FieldError {
  const detail =
    maxBytes < 0
      ? 'value is too long'
      : `may not be more than ${maxBytes} ${maxBytes === 1 ? 'byte' : 'bytes'}`
  return { reason: 'FieldValueTooLong', field, message: `Too long: ${detail}` }
}

/** Error of too many items; a negative maximum is omitted. Source: apimachinery, field.TooMany. */
export function tooManyField(field: string, count: number, max: number): FieldError {
  const detail =
    max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${count}: ${detail}` }
}

/** The part of a 422's message after "is invalid:": a single error as it is, several in brackets, without repeats. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  return aggregateText(errors.map(({ field, message }) => `${field}: ${message}`))
}

/** Message of several errors: a single one as it is, several in brackets, without repeats. Source: apimachinery, Aggregate. */
export function aggregateText(messages: readonly string[]): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? String(distinct[0]) : `[${distinct.join(', ')}]`
}

/** The errors without duplicates, which have the same message about the same field. */
export function uniqueErrors(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors
  const seen = new Set<string>()
  return errors.filter((error) => {
    const key = `${error.field}\n${error.message}`
    if (isUntold(error)) return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/**
 * Maximum number of reported errors of an object: otherwise a response could be many times as large as the request, and
 * delay all other requests.
 */
const maxTold = 1_000
/** Total length of reported errors after which no more are reported. */
const maxToldLength = 1024 * 1024

/** Placeholder for an error that is only counted. */
export function untoldError(reason: FieldErrorReason): FieldError {
  return { reason, field: '<nil>', message: '' }
}

function isUntold({ message }: FieldError): boolean {
  return message === ''
}

const untold = untoldError('FieldValueInvalid')

/** Remaining length of errors to report: once it is used up, further errors need no message. */
export class ToldLength {
  #left = maxToldLength

  get isSpent(): boolean {
    return this.#left < 0
  }

  spend({ field, message }: FieldError): void {
    this.#left -= field.length + message.length
  }
}

/** Appends an error. It is only created if it will be reported, and otherwise only counted. */
export function addError(errors: FieldError[], make: () => FieldError): void {
  errors.push(errors.length < maxTold ? make() : untold)
}

/**
 * The first errors, and a last one with the number of remaining errors. The very first is reported
 * regardless of its length.
 */
export function toldErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const whole = errors.filter((error) => !isUntold(error))
  const count = toldCount(whole)
  const left = errors.length - count
  if (left === 0) return errors
  const rest: FieldError = {
    reason: 'FieldValueTooMany',
    field: '<nil>',
    message: `Too many errors: ${left} more`,
  }
  return [...whole.slice(0, count), rest]
}

function toldCount(errors: readonly FieldError[]): number {
  let length = 0
  for (const [index, { field, message }] of errors.entries()) {
    length += field.length + message.length
    if (index === maxTold || (index > 0 && length > maxToldLength)) return index
  }
  return errors.length
}

function show(value: unknown): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return goFloat(value)
  return value === undefined || value === null ? 'null' : goJson(value)
}

/** JSON as Go writes it: with escapes for characters that have a meaning in HTML. */
function goJson(value: unknown): string {
  return jsonText(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
