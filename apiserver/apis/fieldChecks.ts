import { isDeepStrictEqual } from 'node:util'
import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../meta/fieldErrors.ts'

/** Checks that validations of kinds are put together from. Each gives what is wrong: nothing is valid. */

/** Of a number that may be left out. Source: apimachinery, ValidateNonnegativeField. */
export function notNegative(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value >= 0) return []
  return [invalidField(path, value, 'must be greater than or equal to 0')]
}

export function positive(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value > 0) return []
  return [invalidField(path, value, 'must be greater than 0')]
}

/** Of a text that has its default by now. `known` in the order of the message. */
export function oneOf(
  path: string,
  value: string | undefined,
  known: readonly string[],
): FieldError[] {
  return value !== undefined && known.includes(value)
    ? []
    : [notSupportedField(path, value ?? '', known)]
}

export function given(path: string, value: unknown, detail = ''): FieldError[] {
  return value === undefined || value === '' ? [requiredField(path, detail)] : []
}

/** Source: apimachinery, ValidateImmutableField. */
export function unchanged(path: string, next: unknown, old: unknown): FieldError[] {
  return isSame(next, old) ? [] : [invalidField(path, next, 'field is immutable')]
}

/** Whether content is equal. Defaults that were just set stand at the end of their objects, so order does not count. */
export function isSame(next: unknown, old: unknown): boolean {
  return isDeepStrictEqual(next, old)
}

/** `problems` are those of one of the rules for names. */
export function named(
  path: string,
  name: string | undefined,
  rule: (name: string) => string[],
): FieldError[] {
  if (name === undefined || name === '') return [requiredField(path)]
  return rule(name).map((text) => invalidField(path, name, text))
}

export function portNumber(path: string, port: number | undefined): FieldError[] {
  if (port === undefined || (port >= 1 && port <= 65535)) return []
  return [invalidField(path, port, 'must be between 1 and 65535, inclusive')]
}

/** The name of a port. Source: apimachinery, IsValidPortName. */
export function portName(path: string, name: string): FieldError[] {
  const texts: string[] = []
  if (name.length > 15) texts.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name))
    texts.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) texts.push('must contain at least one letter (a-z)')
  if (name.includes('--')) texts.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-')) texts.push('must not begin or end with a hyphen')
  return texts.map((text) => invalidField(path, name, text))
}
