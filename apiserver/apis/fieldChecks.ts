import type { DeclaredError } from '../registry/strategy.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { isObject } from '../meta/json/isObject.ts'
import { labelKeyErrors, pathSegmentErrors, subdomainErrors } from '../meta/names/nameValidation.ts'

/** Checks for composing validations of kinds. Each returns errors; an empty result is valid. */

/** Returns a single error if `isWrong`; the error is created only then. */
export function errorIf(isWrong: boolean, error: () => FieldError): FieldError[] {
  return isWrong ? [error()] : []
}

/** Errors for an optional number. Source: apimachinery, ValidateNonnegativeField. */
export function notNegative(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value >= 0) return []
  return [invalidField(path, value, 'must be greater than or equal to 0')]
}

export function positive(path: string, value: number | undefined): FieldError[] {
  if (value === undefined || value > 0) return []
  return [invalidField(path, value, 'must be greater than 0')]
}

/** Errors for a string whose default is already set. `known` is in the order of the message. */
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

/** Error if a required list is absent or empty. */
export function givenList(path: string, list: readonly unknown[] | null | undefined): FieldError[] {
  return (list ?? []).length === 0 ? [requiredField(path)] : []
}

/** Errors for a changed immutable value. Source: apimachinery, ValidateImmutableField. */
export function unchanged(path: string, next: unknown, old: unknown): FieldError[] {
  return isSame(next, old) ? [] : [invalidField(path, asEncoded(next), 'field is immutable')]
}

/**
 * The value as Go encodes it: without empty lists, including those in selector expressions, and
 * without an empty label map in a selector.
 */
export function asEncoded(value: unknown): unknown {
  if (!isObject(value)) return value
  const isLeft = ([name, member]: [string, unknown]) =>
    Array.isArray(member) ? member.length > 0 : name !== 'matchLabels' || !isEmptyObject(member)
  const encoded = (name: string, member: unknown) =>
    name === 'matchExpressions' && Array.isArray(member) ? member.map(asEncoded) : member
  return Object.fromEntries(
    Object.entries(value)
      .filter(isLeft)
      .map(([name, member]) => [name, encoded(name, member)]),
  )
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

/** Error if an immutable value changed, for declarative rules, which do not show the value. */
export function fixed(path: string, next: unknown, old: unknown): FieldError[] {
  return isSame(next, old) ? [] : [invalidField(path, undefined, 'field is immutable')]
}

/**
 * Reports whether content is equal, ignoring key order, since newly set defaults come last in their
 * objects. An empty list or map equals an absent one. Source: apimachinery, equality.Semantic.
 */
export function isSame(next: unknown, old: unknown): boolean {
  return isDeepStrictEqual(next, old) || isDeepStrictEqual(withoutEmpty(next), withoutEmpty(old))
}

/**
 * Names of the maps in built-in types. Other fields with an empty object are structs, which differ from absent ones.
 */
const maps: ReadonlySet<string> = new Set([
  ...['allocatable', 'allocatedResourceStatuses', 'allocatedResources', 'annotations'],
  ...['attachmentMetadata', 'capacity', 'hard', 'labels', 'limits', 'matchLabels', 'nodeSelector'],
  ...['options', 'overhead', 'parameters', 'podFixed', 'requests', 'used', 'userAnnotations'],
  ...['volumeAttributes'],
])

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, member]) => !isEmpty(name, member))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutEmpty(member)]))
}

function isEmpty(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return maps.has(name) && isObject(value) && Object.keys(value).length === 0
}

/** Field errors for `problems` found by a name rule. */
export function named(
  path: string,
  name: string | undefined,
  rule: (name: string) => string[],
): FieldError[] {
  if (name === undefined || name === '') return [requiredField(path)]
  return rule(name).map((text) => invalidField(path, name, text))
}

/** Errors for a name used in a path. Source: apimachinery, IsValidPathSegmentName. */
export function pathSegment(path: string, name: string | undefined, detail = ''): FieldError[] {
  if (name === undefined || name === '') return [requiredField(path, detail)]
  return pathSegmentErrors(name).map((text) => invalidField(path, name, text))
}

/** Errors for a domain-prefixed path. Source: apimachinery, IsDomainPrefixedPath. */
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

/** Errors for a label key. Source: apimachinery, ValidateQualifiedName. */
export function qualifiedName(path: string, name: string): FieldError[] {
  return labelKeyErrors(name).map((text) => invalidField(path, name, text))
}

export function portNumber(path: string, port: number | undefined): FieldError[] {
  return between(path, port, [1, 65535])
}

/** Errors for a port name. Source: apimachinery, IsValidPortName. */
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

/**
 * Errors for a relative path, which must neither start at the root nor contain "..". An empty path
 * counts as omitted.
 */
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

/** Errors for an optional name. */
export function optionalName(
  path: string,
  name: string | undefined,
  rule: (name: string) => readonly string[],
): FieldError[] {
  if (name === undefined || name === '') return []
  return rule(name).map((text) => invalidField(path, name, text))
}

/** Errors for an optional enum value. */
export function optionalChoice(
  path: string,
  value: string | undefined,
  known: readonly string[],
): FieldError[] {
  return value === undefined ? [] : oneOf(path, value, known)
}

/** Errors for an optional name that must not be empty. */
export function givenName(
  path: string,
  name: string | undefined,
  rule: (name: string) => readonly string[],
): FieldError[] {
  return name === undefined ? [] : rule(name).map((text) => invalidField(path, name, text))
}

/** Required fields that are declared with the types. Their errors come last, in this order. */
export function declaredRequired(...fields: string[]): DeclaredError[] {
  return fields.map((field) => ({ field, reasons: ['FieldValueRequired'] }))
}
