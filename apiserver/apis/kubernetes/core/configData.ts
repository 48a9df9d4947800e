import { forbiddenField, invalidField, tooLongField } from '../../../meta/fieldErrors.ts'
import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'

/** Rules common to config maps, secrets and shared secrets. Source: Kubernetes API reference, ConfigMap and Secret. */

const keyPattern = '[-._a-zA-Z0-9]+'
const wholeKey = new RegExp(`^${keyPattern}$`)
const keyText = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${keyPattern}')`

const maxDataBytes = 1024 * 1024

export type DataMap = Readonly<Record<string, string>>

/** Map of strings in a field, guaranteed by the schema; empty if absent. */
export function dataIn(object: Readonly<Record<string, unknown>>, field: string): DataMap {
  return (object[field] as DataMap | undefined) ?? {}
}

/** Errors for a key of data. */
export function dataKeyErrors(path: string, key: string): FieldError[] {
  return configKeyTexts(key).map((text) => invalidField(`${path}[${key}]`, key, text))
}

/** Problems with a key. Source: apimachinery, IsConfigMapKey. */
export function configKeyTexts(key: string): string[] {
  const texts: string[] = []
  if (Buffer.byteLength(key) > 253) texts.push('must be no more than 253 characters')
  if (!wholeKey.test(key)) texts.push(keyText)
  if (key === '.' || key === '..') texts.push(`must not be '${key}'`)
  else if (key.startsWith('..')) texts.push("must not start with '..'")
  return texts
}

/** Size of values in bytes, decoded if they are in base64. */
export function sizeOf(values: readonly string[], isBase64: boolean): number {
  const bytesOf = (value: string) =>
    isBase64 ? Math.floor((value.replace(/=+$/, '').length * 3) / 4) : Buffer.byteLength(value)
  return values.reduce((sum, value) => sum + bytesOf(value), 0)
}

/** Error for data larger than a megabyte in total. */
export function sizeErrors(path: string, bytes: number): FieldError[] {
  return bytes > maxDataBytes ? [tooLongField(path, maxDataBytes)] : []
}

/** Error for a key that is in two maps of an object. */
export function duplicateKey(path: string, key: string): FieldError {
  return invalidField(`${path}[${key}]`, key, 'duplicate of key present in binaryData')
}

/** Errors for changes to an immutable object: it stays immutable, and so does its data. */
export function immutableErrors(
  next: ApiObject,
  old: ApiObject,
  fields: readonly string[],
): FieldError[] {
  if (old['immutable'] !== true) return []
  const errors: FieldError[] = []
  if (next['immutable'] !== true) errors.push(forbiddenField('immutable', fieldText('immutable')))
  for (const field of fields) {
    if (JSON.stringify(next[field]) !== JSON.stringify(old[field])) {
      errors.push(forbiddenField(field, fieldText('immutable')))
    }
  }
  return errors
}

function fieldText(field: string): string {
  return `field is immutable when \`${field}\` is set`
}
