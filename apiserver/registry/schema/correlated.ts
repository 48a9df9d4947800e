import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../meta/json/isObject.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * Value of an update with its previous counterpart: fields correspond by name, items of list-type map by their keys; no
 * other items have a counterpart. Source: apiserver, CorrelatedObject; seen on kube-apiserver 1.37.2.
 */
export class Correlated {
  readonly value: unknown
  readonly old: unknown
  readonly #schema: Schema
  readonly #children = new Map<string | number, Correlated | undefined>()
  #isUnchanged: boolean | undefined
  #oldItems: KeyedItems | undefined

  constructor(value: unknown, old: unknown, schema: Schema) {
    this.value = value
    this.old = old
    this.#schema = schema
  }

  /** Member of the value; undefined: the field is new, or unknown to the schema. */
  member(name: string): Correlated | undefined {
    return this.#child(name, () => {
      const { value, old } = this
      if (!isObject(value) || !isObject(old)) return undefined
      if (!Object.hasOwn(value, name) || !Object.hasOwn(old, name)) return undefined
      const { properties = {}, additionalProperties } = this.#schema
      const schema = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      if (schema === undefined || (schema === additionalProperties && saysNothing(schema)))
        return undefined
      return new Correlated(value[name], old[name], schema)
    })
  }

  item(index: number): Correlated | undefined {
    return this.#child(index, () => {
      const { value, old } = this
      const { items } = this.#schema
      if (items === undefined || !Array.isArray(value) || !Array.isArray(old)) return undefined
      const item: unknown = value[index]
      if (!this.#isKeyed) return undefined
      this.#oldItems ??= new KeyedItems(old, this.#keys)
      const before = this.#oldItems.like(item)
      return before === undefined ? undefined : new Correlated(item, before, items)
    })
  }

  /**
   * True if the value is unchanged. A keyed list with an item without a counterpart counts as
   * changed.
   */
  get isUnchanged(): boolean {
    this.#isUnchanged ??= this.#compared()
    return this.#isUnchanged
  }

  get #keys(): readonly string[] {
    return this.#schema['x-kubernetes-list-map-keys'] ?? []
  }

  get #isKeyed(): boolean {
    return this.#schema['x-kubernetes-list-type'] === 'map' && this.#keys.length > 0
  }

  #compared(): boolean {
    const { value, old } = this
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false
      return this.#isKeyed
        ? value.every((_item, index) => this.item(index)?.isUnchanged === true)
        : isDeepStrictEqual(value, old)
    }
    if (!isObject(value) || !isObject(old)) return isDeepStrictEqual(value, old)
    const names = Object.keys(value)
    if (names.length !== Object.keys(old).length) return false
    return names.every((name) => this.member(name)?.isUnchanged === true)
  }

  #child(at: string | number, make: () => Correlated | undefined): Correlated | undefined {
    if (this.#children.has(at)) return this.#children.get(at)
    const made = make()
    this.#children.set(at, made)
    return made
  }
}

/** Reports whether a schema allows members without describing them, like `additionalProperties: true`. */
function saysNothing({ type, ...schema }: Schema): boolean {
  return (
    type === undefined &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  )
}

/** Items of a list with their keys, for one search per item of another list. */
export class KeyedItems {
  readonly #keys: readonly string[]
  readonly #items = new Map<string, unknown>()

  constructor(list: readonly unknown[], keys: readonly string[]) {
    this.#keys = keys
    for (const item of list) {
      const identity = this.#identityOf(item)
      // The first item with the same keys counts.
      if (identity !== undefined && !this.#items.has(identity)) this.#items.set(identity, item)
    }
  }

  /** First item with the same keys as another; undefined: not found, or the item lacks a key. */
  like(item: unknown): unknown {
    const identity = this.#identityOf(item)
    return identity === undefined ? undefined : this.#items.get(identity)
  }

  #identityOf(item: unknown): string | undefined {
    if (!isObject(item)) return undefined
    const parts: string[] = []
    for (const key of this.#keys) {
      const value = item[key]
      if (!isScalar(value)) return undefined
      parts.push(typeof value, Object.is(value, -0) ? '-0' : String(value))
    }
    return JSON.stringify(parts)
  }
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}
