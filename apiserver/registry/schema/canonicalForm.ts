import { objectMetaSchema } from '../../meta/objectMetaSchema.ts'
import { setMember } from '../../meta/json/plainMembers.ts'
import { sortedMembers, withSortedNames } from '../../meta/json/sortedMembers.ts'
import type { Schema } from '../../meta/schema.ts'
import { sortInPlace } from '../../meta/collections/sortInPlace.ts'
import { canonicalValue } from './canonicalValue.ts'
import { noProperties, orderOf, visitedNames } from './propertyOrder.ts'

/**
 * A value in canonical form: unknown fields pruned, declared fields in schema order, map keys sorted, nulls and fields
 * that are empty under `omitEmpty` dropped. Equivalent bodies result in equal bytes, which is how a no-op update is
 * recognized. Values of a wrong type are kept for validation.
 */
export interface CanonicalForm {
  value: unknown
  /** Paths of unknown fields, in document order. */
  unknownFields: string[]
  /** True if there were fields of disabled features. They are dropped, unless `keepsDisabled`. */
  hasDisabled: boolean
  /** True if there were empty maps and lists, which are dropped unless `keepsEmpty`. */
  hasEmpty: boolean
}

export interface CanonicalFormOptions {
  /** Default false. */
  keepsDisabled?: boolean
  /**
   * Places in which empty maps and lists are kept; `inLists`: inside of atomic lists. Default:
   * nowhere.
   */
  keepsEmpty?: 'inLists' | 'everywhere'
}

const envelope: Readonly<Record<string, Schema>> = {
  kind: { type: 'string' },
  apiVersion: { type: 'string' },
  metadata: objectMetaSchema,
}

/** The schema of a whole object: its kind's schema after the envelope. */
export function objectSchema(schema: Schema): Schema {
  let whole = wholeSchemas.get(schema)
  if (whole === undefined) {
    whole = { ...schema, properties: { ...envelope, ...schema.properties, ...envelope } }
    wholeSchemas.set(schema, whole)
  }
  return whole
}

const wholeSchemas = new WeakMap<Schema, Schema>()

/**
 * Computes the canonical form. `schema` is a result of objectSchema(). The input is not changed, and only its leaves
 * are shared.
 */
export function canonicalForm(
  value: unknown,
  schema: Schema,
  { keepsDisabled = false, keepsEmpty }: CanonicalFormOptions = {},
): CanonicalForm {
  const found: Found = {
    unknown: [],
    pathBytes: 0,
    disabled: 0,
    keepsDisabled,
    hasEmpty: false,
    keepsEmpty: keepsEmpty === 'everywhere',
    keepsEmptyInLists: keepsEmpty !== undefined,
  }
  const canonical = walk(value, schema, found)
  const { unknown, disabled, hasEmpty } = found
  return { value: canonical, unknownFields: unknown, hasDisabled: disabled > 0, hasEmpty }
}

interface Found {
  /** Paths of unknown fields, in document order. */
  unknown: string[]
  /** Total length of names prepended to paths so far. */
  pathBytes: number
  /** Number of fields of disabled features so far. */
  disabled: number
  keepsDisabled: boolean
  /** True if a map or list was empty. */
  hasEmpty: boolean
  /** True if empty maps and lists are kept at the current place. */
  keepsEmpty: boolean
  keepsEmptyInLists: boolean
}

const nothing: Schema = { prunes: true, keepsNulls: true }

function walk(value: unknown, schema: Schema, found: Found): unknown {
  if (Array.isArray(value)) {
    const { items = schema.prunes === true ? nothing : undefined } = schema
    if (items === undefined) return sortedMembers(value)
    return walkItems(value, items, schema, found)
  }
  if (!isRecord(value)) {
    return schema.canonical === undefined ? value : canonicalValue(value, schema)
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return walkOpen(value, schema, found)
  if (schema.additionalProperties !== undefined)
    return walkMap(withoutNulls(value, schema), schema.additionalProperties, found)
  if (schema.hidesUnknown !== true) return walkStruct(value, schema, found)
  const reported = found.unknown.length
  const kept = walkStruct(value, schema, found)
  found.unknown.length = reported
  return kept
}

function walkItems(
  value: readonly unknown[],
  items: Schema,
  { keepsNulls, 'x-kubernetes-list-type': listType }: Schema,
  found: Found,
): unknown[] {
  const { keepsEmpty } = found
  found.keepsEmpty ||= found.keepsEmptyInLists && listType !== 'map'
  const walkItem = keepsNulls === true ? walkMember : walkElement
  const walked = value.map((item, index) => walkItem(`[${index}]`, item, items, found))
  found.keepsEmpty = keepsEmpty
  return walked
}

function walkStruct(
  value: Record<string, unknown>,
  { properties: declared, prunes, dropsInsideFirst }: Schema,
  found: Found,
): unknown {
  const properties = declared ?? (prunes === true ? noProperties : undefined)
  if (properties === undefined) return sortedMembers(value)
  const { keepsDisabled } = found
  const result: Record<string, unknown> = {}
  const before = found.unknown.length
  for (const name of visitedNames(value, properties, orderOf(properties).constant)) {
    const schema = properties[name]
    if (schema === undefined) continue
    const present = presentIn(value, name, schema)
    if (present === undefined) continue
    found.keepsDisabled = keepsDisabled || isAfterFirst(value, name, dropsInsideFirst)
    const child = walkField(name, present, schema, found)
    if (child !== undefined) setMember(result, name, child)
  }
  found.keepsDisabled = keepsDisabled
  const below = found.unknown.length - before
  for (const name in value) {
    if (!Object.hasOwn(properties, name)) found.unknown.push(name)
  }
  sortAsSent(found.unknown, before, below, value)
  return result
}

/** Canonical value of a field of a struct; undefined: dropped. */
function walkField(name: string, present: unknown, schema: Schema, found: Found): unknown {
  const disabledBefore = found.disabled
  const child = walkMember(name, present, schema, found)
  if (schema.isDisabled === true && present !== null) found.disabled++
  if (isEmptied(child, schema, { found, disabledBefore })) return undefined
  const isGone = isDropped(child, schema, found.keepsDisabled) && !isKept(child, schema, found)
  return isGone ? undefined : child
}

/** Reports whether an earlier field in the order is also present. */
function isAfterFirst(
  value: Record<string, unknown>,
  name: string,
  order: readonly string[] | undefined,
): boolean {
  const place = order?.indexOf(name) ?? 0
  return place > 0 && order?.slice(0, place).some((other) => isRecord(value[other])) === true
}

/** Reports whether a value that would be dropped is kept because it is an empty map or list. */
function isKept(value: unknown, schema: Schema, found: Found): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (!Array.isArray(value) && schema.additionalProperties === undefined) return false
  if (schema.isDisabled === true && !found.keepsDisabled) return false
  found.hasEmpty = true
  return found.keepsEmpty
}

/** The value of a field, or the schema's `zero` if it is absent or null. */
function presentIn(value: Record<string, unknown>, name: string, { zero }: Schema): unknown {
  const given = Object.hasOwn(value, name) ? value[name] : undefined
  return given ?? (zero === undefined ? given : zero)
}

/** Reports whether a struct is dropped when it becomes empty. */
function isEmptied(
  child: unknown,
  { goesWithDisabled }: Schema,
  { found, disabledBefore }: { found: Found; disabledBefore: number },
): boolean {
  if (goesWithDisabled !== true || found.keepsDisabled) return false
  return found.disabled > disabledBefore && isEmpty(child)
}

/**
 * Sorts unknown fields of a struct in document order: from `before` on there are `below` paths
 * within its known fields, then the names of unknown ones.
 */
function sortAsSent(
  unknown: string[],
  before: number,
  below: number,
  value: Record<string, unknown>,
): void {
  if (below === 0 || unknown.length <= before + 1) return
  const order = new Map(Object.keys(value).map((name, position) => [name, position]))
  const placed = unknown.splice(before).map((path, at) => {
    const name = at < below ? (/^[^.[]*/.exec(path)?.[0] ?? '') : path
    return { path, position: order.get(name) ?? 0 }
  })
  placed.sort((one, other) => one.position - other.position)
  for (const { path } of placed) unknown.push(path)
}

function walkMap(value: Record<string, unknown>, schema: Schema, found: Found): unknown {
  return withSortedNames(value, (name) => walkElement(name, value[name], schema, found))
}

/** Drops nulls of a map if the schema requires it. */
function withoutNulls(
  value: Record<string, unknown>,
  { dropsNulls, additionalProperties }: Schema,
): Record<string, unknown> {
  if (dropsNulls !== true || additionalProperties?.nullable === true) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/**
 * Maximum total length of names in paths of unknown fields; beyond it, few of them are kept at each
 * level.
 */
const maxPathBytes = 1024 * 1024
const maxLongPaths = 100

/** The canonical form of a member or item. Paths are only computed for unknown fields. */
function walkMember(name: string, value: unknown, schema: Schema, found: Found): unknown {
  const before = found.unknown.length
  const member = walk(value, schema, found)
  const added = found.unknown.length - before
  if (added === 0) return member
  // A long key above many unknown fields would make the total length of paths unlimited.
  found.pathBytes += added * name.length
  if (found.pathBytes > maxPathBytes) found.unknown.length = before + Math.min(added, maxLongPaths)
  for (let at = before; at < found.unknown.length; at++) {
    const path = found.unknown[at] ?? ''
    found.unknown[at] = path.startsWith('[') ? name + path : `${name}.${path}`
  }
  return member
}

/** The canonical form of an element; null becomes the empty value of its type, as for the Go decoder. */
function walkElement(name: string, value: unknown, schema: Schema, found: Found): unknown {
  if (value !== null || schema.nullable === true) return walkMember(name, value, schema, found)
  if (schema.type === 'object') return walkMember(name, {}, schema, found)
  if (schema.canonical === 'quantity') return '0'
  return schema.type === undefined ? null : emptyValues[schema.type]
}

const emptyValues: Readonly<Record<Exclude<NonNullable<Schema['type']>, 'object'>, unknown>> = {
  array: null,
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
}

function walkOpen(value: Record<string, unknown>, schema: Schema, found: Found): unknown {
  const { properties = {} } = schema
  const stays = (name: string) =>
    value[name] !== null ||
    !Object.hasOwn(properties, name) ||
    !isDropped(null, properties[name] ?? {})
  return fromEntries(sortedNames(value).filter(stays), (name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    return known === undefined
      ? sortedMembers(value[name])
      : walkMember(name, value[name], known, found)
  })
}

/** Creates an object with own properties only, so that a key `__proto__` is an ordinary key. */
function fromEntries(
  names: readonly string[],
  valueOf: (name: string) => unknown,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const name of names) setMember(result, name, valueOf(name))
  return result
}

/** Reports whether a field with this value is dropped. */
export function isDropped(value: unknown, schema: Schema, keepsDisabled = false): boolean {
  if (value === undefined || (schema.isDisabled === true && !keepsDisabled)) return true
  if (value === null) return schema.nullable !== true && schema.zero !== null
  return schema.omitEmpty === true && isEmpty(value)
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

function sortedNames(value: Record<string, unknown>): string[] {
  return sortInPlace(Object.keys(value), (one, other) => (one < other ? -1 : 1))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
