import { isObject } from '../../meta/json/isObject.ts'
import { isWhole } from '../../meta/json/integers.ts'
import type { Schema } from '../../meta/schema.ts'
import { formatNanoseconds } from '../../registry/formats/durationFormat.ts'
import { celKey } from './celKey.ts'
import { fieldOf, selectors } from './escaping.ts'
import { KeyedList } from './lists.ts'
import { mapping, type Mapping } from './mapping.ts'
import { momentOf } from './moments.ts'
import { Duration, Preserved } from './scalars.ts'

/**
 * Value converted for use in rules; objects are converted when they are read.
 * @throws Error for values that the schema does not describe. Source: Kubernetes documentation,
 * "Validation rules".
 */
export function toCel(value: unknown, schema: Schema): unknown {
  if (value === null) {
    if (schema.nullable === true) return null
    throw new Error('invalid data, got null for schema with nullable=false')
  }
  if (schema['x-kubernetes-int-or-string'] === true) return eitherOf(value)
  if (schema.type !== undefined) return converters[schema.type](value, schema)
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return new Preserved(value)
  return new Preserved(value)
}

function eitherOf(value: unknown): unknown {
  if (typeof value === 'string') return value
  if (isWhole(value)) return BigInt(value)
  throw new Error('invalid data, expected XIntOrString value to be either a string or integer')
}

const converters: Readonly<
  Record<NonNullable<Schema['type']>, (value: unknown, schema: Schema) => unknown>
> = {
  object: (value, schema) => {
    if (isObject(value)) return new SchemaObject(value, schema)
    throw unexpected('a map for the provided schema with type=object')
  },
  array: (value, schema) => {
    if (!Array.isArray(value)) throw unexpected('an array for the provided schema with type=array')
    return listOf(value, schema)
  },
  string: (value, schema) => {
    if (typeof value === 'string') return stringOf(value, schema)
    throw unexpected(`string, got ${goType(value)}`)
  },
  number: (value) => {
    if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
    throw unexpected(`float, got ${goType(value)}`)
  },
  integer: (value) => {
    if (isWhole(value)) return BigInt(value)
    throw unexpected(`int, got ${goType(value)}`)
  },
  boolean: (value) => {
    if (typeof value === 'boolean') return value
    throw unexpected(`bool, got ${goType(value)}`)
  },
}

function unexpected(what: string): Error {
  return new Error(`invalid data, expected ${what}`)
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  if (isWhole(value)) return 'int64'
  return { number: 'float64', boolean: 'bool' }[typeof value as string] ?? 'string'
}

function listOf(value: readonly unknown[], schema: Schema): unknown {
  const { items: itemSchema = {} } = schema
  const items = value.map((item) => toCel(item, itemSchema))
  const type = schema['x-kubernetes-list-type']
  if (type === 'set') return new KeyedList(items, { keyOf: scalarKey, isMap: false })
  if (type !== 'map') return items
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => selectors(key)[0])
  const keyOf = (item: unknown) =>
    keys.map((key) => (isKeyed(item) ? celKey(item.find(key)) : '')).join('\n')
  return new KeyedList(items, { keyOf, isMap: true })
}

function isKeyed(item: unknown): item is Mapping {
  return typeof item === 'object' && item !== null && 'find' in item
}

/** Key of a set item, which must be a scalar. */
function scalarKey(item: unknown): string {
  if (typeof item !== 'object' || item instanceof Uint8Array) return celKey(item)
  if (Array.isArray(item) || item instanceof KeyedList || (item !== null && mapping in item))
    throw new Error('listSet operations are only supported on lists of scalar values')
  return celKey(item)
}

function stringOf(value: string, { format }: Schema): unknown {
  if (format === 'byte') return new Uint8Array(Buffer.from(value, 'base64'))
  if (format === 'duration') {
    const nanoseconds = formatNanoseconds(value)
    if (nanoseconds !== undefined) return new Duration(nanoseconds)
    throw new Error(`Invalid duration ${value}`)
  }
  if (format !== 'date-time' && format !== 'date') return value
  const moment = momentOf(format === 'date' ? `${value}T00:00:00Z` : value)
  if (moment === undefined) throw new Error(`Invalid ${format} formatted string ${value}`)
  return moment
}

const string: Schema = { type: 'string' }

/** Fields of every object that rules may access. */
const envelope: Readonly<Record<string, Schema>> = {
  apiVersion: string,
  kind: string,
  metadata: { type: 'object', properties: { name: string, generateName: string } },
}

/** Object or map described by a schema. */
export class SchemaObject implements Mapping {
  readonly [mapping] = true
  readonly raw: Record<string, unknown>
  readonly #schema: Schema
  readonly #made = new Map<string, unknown>()

  constructor(raw: Record<string, unknown>, schema: Schema) {
    this.raw = raw
    this.#schema = schema
  }

  get size(): number {
    return Object.keys(this.raw).length
  }

  /** Member of the object; a null field counts as absent. */
  find(key: unknown): unknown {
    if (typeof key !== 'string') throw new Error('no such overload')
    const name = this.#isStruct ? fieldOf(key) : key
    if (!Object.hasOwn(this.raw, name)) return undefined
    const value = this.raw[name]
    const schema = this.schemaOf(name)
    if (schema === undefined || (this.#isStruct && value === null)) return undefined
    let made = this.#made.get(name)
    if (made === undefined) this.#made.set(name, (made = toCel(value, schema)))
    return made
  }

  *keys(): Iterable<string> {
    for (const name of Object.keys(this.raw)) {
      if (this.schemaOf(name) !== undefined)
        yield this.#isStruct ? (selectors(name)[0] ?? name) : name
    }
  }

  /** Schema of a member; undefined: the member is not described. */
  schemaOf(name: string): Schema | undefined {
    const { properties = {}, additionalProperties: others } = this.#schema
    if (Object.hasOwn(properties, name) && properties[name]?.type !== undefined)
      return properties[name]
    if (this.#isStruct && Object.hasOwn(envelope, name)) return envelope[name]
    if (Object.hasOwn(properties, name)) return properties[name]
    return others === undefined || saysNothing(others) ? undefined : others
  }

  get #isStruct(): boolean {
    return this.#schema.additionalProperties === undefined
  }
}

/** Reports whether a schema allows a map member without describing it. */
function saysNothing(schema: Schema): boolean {
  return (
    schema.type === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  )
}
