import type { Schema } from '../../meta/schema.ts'
import { isDropped } from './canonicalForm.ts'
import { canonicalValue } from './canonicalValue.ts'
import { orderOf, visitedNames, type Properties } from './propertyOrder.ts'

/**
 * Reports whether `canonicalForm` would return an equal value with its fields in the same order. It allocates nothing,
 * so it is much cheaper than computing the form.
 */
export function isCanonical(value: unknown, schema: Schema): boolean {
  if (Array.isArray(value)) {
    const { items, keepsNulls, zero } = schema
    if (value.length === 0 && zero === null) return false
    if (items === undefined) return value.every(isSorted)
    const isRight = keepsNulls === true ? isCanonical : isCanonicalElement
    return value.every((item) => isRight(item, items))
  }
  if (!isRecord(value))
    return schema.canonical === undefined || canonicalValue(value, schema) === value
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return isCanonicalOpen(value, schema)
  if (schema.additionalProperties !== undefined)
    return isCanonicalMap(value, schema.additionalProperties)
  return schema.properties === undefined
    ? isSorted(value)
    : isCanonicalStruct(value, schema.properties)
}

/**
 * A struct with its fields in order, if only their order is not canonical: hooks append fields.
 * Undefined: `canonicalForm` is needed, which costs several times as much.
 */
export function inOrder(value: unknown, schema: Schema): Record<string, unknown> | undefined {
  const properties = structOf(schema)
  if (properties === undefined || !isRecord(value) || Array.isArray(value)) return undefined
  for (const name in value) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined || isDropped(value[name], field)) return undefined
    if (!isCanonical(value[name], field)) return undefined
  }
  const { constant } = orderOf(properties)
  if (!constant.every((name) => Object.hasOwn(value, name))) return undefined
  const result: Record<string, unknown> = {}
  for (const name of visitedNames(value, properties))
    if (Object.hasOwn(value, name)) result[name] = value[name]
  return result
}

/** Fields of a schema that only consists of fields. */
function structOf(schema: Schema): Properties | undefined {
  const { properties, additionalProperties } = schema
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined
  return additionalProperties === undefined ? properties : undefined
}

function isCanonicalStruct(value: Record<string, unknown>, properties: Properties): boolean {
  if (!hasFieldsInPlace(value, properties)) return false
  for (const name in value) {
    const schema = properties[name]
    if (schema !== undefined && !isCanonical(value[name], schema)) return false
  }
  return true
}

/**
 * Reports whether the fields of a struct are canonical and in order; their contents are not checked, except for
 * whether they are dropped.
 */
export function hasFieldsInPlace(value: Record<string, unknown>, properties: Properties): boolean {
  const { position, constant } = orderOf(properties)
  let last = -1
  for (const name in value) {
    const at = position.get(name) ?? -1
    const schema = properties[name]
    if (at <= last || schema === undefined || isDropped(value[name], schema)) return false
    last = at
  }
  return constant.every((name) => Object.hasOwn(value, name))
}

function isCanonicalMap(value: Record<string, unknown>, schema: Schema): boolean {
  return isInKeyOrder(value, (member) => isCanonicalElement(member, schema))
}

/** Reports whether an element is canonical; null may represent the empty value of its type. */
function isCanonicalElement(value: unknown, schema: Schema): boolean {
  return value !== null && isCanonical(value, schema)
}

function isCanonicalOpen(value: Record<string, unknown>, { properties = {} }: Schema): boolean {
  return isInKeyOrder(value, (member, name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined) return isSorted(member)
    return !(member === null && isDropped(member, known)) && isCanonical(member, known)
  })
}

function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSorted)
  return !isRecord(value) || isInKeyOrder(value, isSorted)
}

/** Reports whether the keys are sorted, and every member satisfies `isRight`. */
function isInKeyOrder(
  value: Record<string, unknown>,
  isRight: (member: unknown, name: string) => boolean,
): boolean {
  let last: string | undefined
  for (const name in value) {
    if (last !== undefined && last > name) return false
    if (!isRight(value[name], name)) return false
    last = name
  }
  return true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
