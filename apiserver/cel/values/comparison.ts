import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../meta/json/isObject.ts'
import { itemsOf, KeyedList } from './lists.ts'
import { isMapping, type Mapping } from './mapping.ts'
import {
  Duration,
  noSuchOverload,
  Opaque,
  Optional,
  Preserved,
  Timestamp,
  Unsigned,
} from './scalars.ts'
import { SchemaObject } from './schemaValues.ts'
import { StructValue } from './structValue.ts'
import { visit, visiting } from './visits.ts'

/**
 * Reports whether two values are equal; numbers of all types are compared by value. @throws Error
 * for lists and maps of a schema compared with other values; CostExceeded for values with too many
 * parts. Source: the language's definition, "Equality".
 */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return one === other
  if (typeof one !== 'object' && typeof other !== 'object') return isSameValue(one, other)
  return visiting(() => isSame(one, other))
}

function isSame(one: unknown, other: unknown): boolean {
  visit()
  return one === null || other === null ? one === other : isSameValue(one, other)
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Preserved || other instanceof Preserved)
    return isSameJson(rawOf(one), rawOf(other))
  const [number, otherNumber] = [numericOf(one), numericOf(other)]
  if (number !== undefined && otherNumber !== undefined) return number == otherNumber
  return isSameList(one, other) ?? isSameScalar(one, other)
}

/** Compares lists and maps; undefined: the values are neither. */
function isSameList(one: unknown, other: unknown): boolean | undefined {
  const [items, others] = [itemsOf(one), itemsOf(other)]
  if (items !== undefined && others !== undefined) {
    if (one instanceof KeyedList) return one.equals(others, isSame)
    return items.length === others.length && items.every((item, at) => isSame(item, others[at]))
  }
  return isMapping(one) && isMapping(other) ? isSameMap(one, other) : undefined
}

function isSameScalar(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  if (one?.constructor !== other?.constructor && !(one instanceof Uint8Array)) return false
  if (one instanceof Uint8Array)
    return other instanceof Uint8Array && Buffer.compare(one, other) === 0
  if (one instanceof Optional) return isSameOptional(one, other as Optional) // of the same class
  if (one instanceof Opaque) return one.equals(other as Opaque)
  return isDeepStrictEqual(one, other)
}

function isSameOptional(one: Optional, other: Optional): boolean {
  if (!one.hasValue || !other.hasValue) return one.hasValue === other.hasValue
  return isSame(one.value, other.value)
}

function isSameMap(one: Mapping, other: Mapping): boolean {
  if (typeNameOfStruct(one) !== typeNameOfStruct(other)) return false
  if (one.size !== other.size) return false
  for (const key of one.keys()) {
    const value = one.find(key)
    const counterpart = setMember(other, key)
    if (value === undefined && counterpart === undefined) continue
    if (value === undefined || counterpart === undefined) return false
    if (!isSame(value, counterpart)) return false
  }
  return !(one instanceof SchemaObject && other instanceof SchemaObject) || isSameRest(one, other)
}

/** Member of a map; undefined: absent, or unset. */
function setMember(map: Mapping, key: unknown): unknown {
  return map instanceof StructValue && !map.has(key) ? undefined : map.find(key)
}

function typeNameOfStruct(value: Mapping): string | undefined {
  return value instanceof StructValue ? value.typeName : undefined
}

/** Compares members that the schema does not describe. */
function isSameRest(one: SchemaObject, other: SchemaObject): boolean {
  return Object.entries(one.raw).every(([name, value]) => {
    if (one.schemaOf(name) !== undefined || !Object.hasOwn(other.raw, name)) return true
    return isSameJson(value, other.raw[name])
  })
}

/** Reports whether two JSON values are equal. */
function isSameJson(one: unknown, other: unknown): boolean {
  visit()
  if (!isObject(one) && !Array.isArray(one)) return Object.is(one, other)
  if (Array.isArray(one) !== Array.isArray(other) || typeof other !== 'object' || other === null)
    return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && isSameJson((one as Members)[name], (other as Members)[name]),
    )
  )
}

type Members = Readonly<Record<string, unknown>>

function rawOf(value: unknown): unknown {
  if (value instanceof Preserved || value instanceof SchemaObject) return value.raw
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : value
  return isObject(value) ? Symbol('no raw value') : value
}

function isSafe(value: bigint): boolean {
  return Number.isSafeInteger(Number(value))
}

/** Numeric value; undefined: not a number. */
function numericOf(value: unknown): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value
  return value instanceof Unsigned ? value.value : undefined
}

/** Comparison: below, at or above 0. @throws Error for values without an order. */
export function compared(one: unknown, other: unknown): number {
  const [a, b] = [orderOf(one), orderOf(other)]
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(utf8(a), utf8(b))
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  if (!isOrdered(a) || !isOrdered(b) || isKindDifferent(one, other)) throw noSuchOverload()
  if (Number.isNaN(a) || Number.isNaN(b)) throw new Error('NaN values cannot be ordered')
  if (a < b) return -1
  return a > b ? 1 : 0
}

function utf8(text: string): Buffer {
  return Buffer.from(text)
}

function isOrdered(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number'
}

function isKindDifferent(one: unknown, other: unknown): boolean {
  const kind = (value: unknown) => (numericOf(value) === undefined ? kindName(value) : 'number')
  return kind(one) !== kind(other)
}

function kindName(value: unknown): string {
  return typeof value === 'object' && value !== null ? value.constructor.name : typeof value
}

function orderOf(value: unknown): unknown {
  if (value instanceof Timestamp || value instanceof Duration) return value.nanoseconds
  if (typeof value === 'boolean') return Number(value)
  return numericOf(value) ?? value
}
