import { isObject } from '../../meta/json/isObject.ts'
import { mapping, type Mapping } from './mapping.ts'

/**
 * JSON value for expressions without a schema: whole numbers are integers; members are converted
 * when read.
 */
export function jsonValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(jsonValue)
  return isObject(value) ? new JsonObject(value) : (value ?? null)
}

class JsonObject implements Mapping {
  readonly [mapping] = true
  readonly #members: Readonly<Record<string, unknown>>
  readonly #read = new Map<string, unknown>()

  constructor(members: Readonly<Record<string, unknown>>) {
    this.#members = members
  }

  get size(): number {
    return Object.keys(this.#members).length
  }

  find(key: unknown): unknown {
    if (typeof key !== 'string' || !Object.hasOwn(this.#members, key)) return undefined
    if (!this.#read.has(key)) this.#read.set(key, jsonValue(this.#members[key]))
    return this.#read.get(key)
  }

  keys(): Iterable<string> {
    return Object.keys(this.#members)
  }
}

/** Object whose members are converted when an expression first reads them. */
export class LazyObject implements Mapping {
  readonly [mapping] = true
  readonly #members: ReadonlyMap<string, () => unknown>

  constructor(members: ReadonlyMap<string, () => unknown>) {
    this.#members = members
  }

  get size(): number {
    return this.#members.size
  }

  find(key: unknown): unknown {
    return typeof key === 'string' ? this.#members.get(key)?.() : undefined
  }

  keys(): Iterable<string> {
    return this.#members.keys()
  }
}
