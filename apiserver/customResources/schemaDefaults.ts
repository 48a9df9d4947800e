import { jsonText } from '../meta/json/exactJson.ts'
import { isObject } from '../meta/json/isObject.ts'
import { deepCopy, setMember } from '../meta/json/plainMembers.ts'
import type { Schema } from '../meta/schema.ts'
import { requestEntityTooLarge } from '../meta/statusErrors.ts'
import { noProperties, orderOf, visitedNames } from '../registry/schema/propertyOrder.ts'

/** Maximum total length in characters of the names and JSON strings of an object's defaults. */
const maxAddedLength = 16 * 1024 * 1024

export interface Defaulting {
  /**
   * Sets missing defaults of the schema. Changes `value`, possibly only in part if it throws.
   * @throws StatusError 413 before the defaults of one value exceed 16 Mi characters.
   */
  fill: (value: unknown) => void
  /** Sets defaults up to the same limit, and omits the rest. */
  fillWhatFits: (value: unknown) => void
}

/**
 * Defaulting according to a schema. The size of each default is computed only once.
 * Source: Kubernetes documentation, "Defaulting"; invalid nulls are pruned before.
 */
export function defaulting(schema: Schema): Defaulting {
  const lengths = new Map<Schema, number>()
  const fillWhatFits = (value: unknown) => {
    const filler = new Filler(lengths)
    filler.fill(value, schema)
    return filler
  }
  const fill = (value: unknown) => {
    if (!fillWhatFits(value).isFull) return
    throw requestEntityTooLarge(`defaults add more than ${maxAddedLength} characters`)
  }
  return { fill, fillWhatFits }
}

/** Sets the defaults of a single value. */
class Filler {
  /** True after a default exceeded the limit; no further defaults are set. */
  isFull = false
  readonly #lengths: Map<Schema, number>
  #addedLength = 0

  constructor(lengths: Map<Schema, number>) {
    this.#lengths = lengths
  }

  fill(value: unknown, schema: Schema): void {
    if (this.isFull) return
    if (Array.isArray(value)) {
      const { items } = schema
      if (items !== undefined) for (const item of value) this.fill(item, items)
      return
    }
    if (isObject(value)) this.#fillMembers(value, schema)
  }

  #fillMembers(value: Record<string, unknown>, schema: Schema): void {
    const { properties = noProperties, additionalProperties } = schema
    for (const name of visitedNames(value, properties, orderOf(properties).defaulted)) {
      const property = properties[name] ?? {}
      if (property.default !== undefined && !Object.hasOwn(value, name)) {
        if (!this.#fits(name, property)) return
        setMember(value, name, deepCopy(property.default))
      }
      if (Object.hasOwn(value, name)) this.fill(value[name], property)
    }
    if (additionalProperties === undefined) return
    for (const member of Object.values(value)) this.fill(member, additionalProperties)
  }

  #fits(name: string, property: Schema): boolean {
    this.#addedLength += name.length + this.#lengthOf(property)
    this.isFull = this.#addedLength > maxAddedLength
    return !this.isFull
  }

  #lengthOf(property: Schema): number {
    const known = this.#lengths.get(property)
    if (known !== undefined) return known
    const length = jsonText(property.default).length
    this.#lengths.set(property, length)
    return length
  }
}
