import { isDeepStrictEqual } from 'node:util'
import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { labelKeyErrors, pathSegmentErrors, subdomainErrors } from '../meta/names/nameValidation.ts'
import { isCidr, isIPv4, isIPv6 } from '../registry/formats/ipFormats.ts'

/** Checks that validations of kinds are put together from. Each gives what is wrong: nothing is valid. */

/** Errors of an optional number. Source: apimachinery, ValidateNonnegativeField. */
export function notNegative(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value >= 0) return []
  return [invalidField(path, value, 'must be greater than or equal to 0')]
}

export function positive(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value > 0) return []
  return [invalidField(path, value, 'must be greater than 0')]
}

/** Errors of a string whose default is set already. `known` in the order of the message. */
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

/** Errors of a list that is null if it is absent. */
export function givenList(path: string, list: readonly unknown[] | null | undefined): FieldError[] {
  return (list ?? []).length === 0 ? [requiredField(path)] : []
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

/** A name that stands in a path. Source: apimachinery, IsValidPathSegmentName. */
export function pathSegment(path: string, name: string | undefined, detail = ''): FieldError[] {
  if (name === undefined || name === '') return [requiredField(path, detail)]
  return pathSegmentErrors(name).map((text) => invalidField(path, name, text))
}

/** Source: apimachinery, IsDomainPrefixedPath. */
export function domainPrefixedPath(path: string, value: string): FieldError[] {
  if (value === '') return [requiredField(path)]
  const at = value.indexOf('/')
  const [host, rest] = [value.slice(0, at), value.slice(at + 1)]
  if (at <= 0 || rest === '') {
    return [invalidField(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const errors = subdomainErrors(host).map((text) => invalidField(path, host, text))
  if (httpPath.test(rest)) return errors
  const detail = `Invalid path (regex used for validation is '${httpPathText}')`
  return [...errors, invalidField(path, rest, detail)]
}

const httpPathText = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

/** A label's key. Source: apimachinery, ValidateQualifiedName. */
export function qualifiedName(path: string, name: string): FieldError[] {
  return labelKeyErrors(name).map((text) => invalidField(path, name, text))
}

/** An address or a range as fields of long ago take it. Source: apimachinery, IsValidIPForLegacyField. */
export function address(path: string, value: string): FieldError[] {
  if (isIPv4(value) || isIPv6(value)) return []
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
  return [invalidField(path, value, detail)]
}

export function addressRange(path: string, value: string): FieldError[] {
  if (isCidr(value)) return []
  const detail = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
  return [invalidField(path, value, detail)]
}

export function portNumber(path: string, port: number | undefined): FieldError[] {
  return between(path, port, [1, 65535])
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

export function between(
  path: string,
  value: number | undefined,
  [low, high]: readonly [number, number],
): FieldError[] {
  if (value === undefined || (value >= low && value <= high)) return []
  return [invalidField(path, value, `must be between ${low} and ${high}, inclusive`)]
}

/** A path below another: it neither begins at the root nor leads up. Empty: left out. */
export function pathBelow(path: string, value: string | undefined): FieldError[] {
  if (value === undefined || value === '') return []
  return [
    ...(value.startsWith('/') ? [invalidField(path, value, 'must be a relative path')] : []),
    ...noBacksteps(path, value),
  ]
}

export function noBacksteps(path: string, value: string): FieldError[] {
  const leadsUp = value.split('/').includes('..')
  return leadsUp ? [invalidField(path, value, "must not contain '..'")] : []
}

/** A name that may be left out. */
export function optionalName(
  path: string,
  name: string | undefined,
  rule: (name: string) => readonly string[],
): FieldError[] {
  if (name === undefined || name === '') return []
  return rule(name).map((text) => invalidField(path, name, text))
}

/** Errors of an optional choice. */
export function optionalChoice(
  path: string,
  value: string | undefined,
  known: readonly string[],
): FieldError[] {
  return value === undefined ? [] : oneOf(path, value, known)
}

/** A name that is no name when it is empty, and may be left out. */
export function givenName(
  path: string,
  name: string | undefined,
  rule: (name: string) => readonly string[],
): FieldError[] {
  return name === undefined ? [] : rule(name).map((text) => invalidField(path, name, text))
}
