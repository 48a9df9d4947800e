import type { FieldType, Form, MapType } from './fieldType.ts'

export type Fields = Record<string, unknown>

/**
 * Thrown if a value does not match its type. Each problem is a path and a message, in the words of the real library.
 */
export class TypedValueError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : ['errors:', ...problems].join('\n  '))
    this.name = 'TypedValueError'
  }
}

/**
 * The form of a value under a type: the value's own if the type has it, else the type's first; null and undefined match
 * every form. Undefined: the schema has no type here.
 */
export function formOf(value: unknown, type: FieldType): Form | undefined {
  return ownForm(value, type) ?? type.map ?? type.scalar ?? type.list
}

function ownForm(value: unknown, type: FieldType): Form | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return type.scalar
  return Array.isArray(value) ? type.list : type.map
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own member of an object; undefined: absent. */
export function member(value: Fields, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/**
 * The type of a field.
 * @throws TypedValueError if the schema has no such field.
 */
export function typeOfField(map: MapType, name: string): FieldType {
  const type = map.fields.get(name)?.type ?? map.elements
  if (type === undefined) throw new TypedValueError([`.${name}: field not declared in schema`])
  return type
}

/** The error for a value without a type in the schema. */
export function noForm(): TypedValueError {
  return new TypedValueError(['schema error: invalid atom: inlined'])
}

/** Reports whether a value is an empty list or not a list; empty maps and lists are compared and merged as a whole. */
export function isEmptyList(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0
}

export function isEmptyMap(value: unknown): boolean {
  if (!isFields(value)) return true
  for (const name in value) if (value[name] !== undefined) return false
  return true
}

/**
 * Reports whether JSON values are equal, ignoring the order of fields, but not of items. An undefined field counts as
 * absent.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  return isFields(a) && isFields(b) && sameFields(a, b)
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false
  return true
}

function sameFields(a: Fields, b: Fields): boolean {
  let extra = 0
  for (const name in a) {
    const value = a[name]
    if (value === undefined) continue
    if (!Object.hasOwn(b, name) || !sameValue(value, b[name])) return false
    extra--
  }
  for (const name in b) if (b[name] !== undefined) extra++
  return extra === 0
}
