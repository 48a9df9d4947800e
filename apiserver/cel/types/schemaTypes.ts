import { isObject } from '../../meta/json/isObject.ts'
import type { JsonSchemaProps } from '../../meta/jsonSchemaProps.ts'
import { dyn, listOf, mapOf, objectType, typeNamed, type CelType } from './types.ts'
import { selectors } from '../values/escaping.ts'

/** Type and maximum size of a schema's values. */
export interface SchemaType {
  readonly type: CelType
  /** Maximum number of characters, bytes, items or members of a value; 0 for values without a size. */
  readonly maxElements: number
  /** Minimum size of a value as JSON, in bytes. */
  readonly minSize: number
  /** Type of list items or map values. */
  readonly element?: SchemaType
  readonly key?: SchemaType
  readonly fieldOf?: (name: string) => SchemaType | undefined
}

/** Size of the largest request in bytes, which estimates are based on. */
export const maxRequestBytes = 3 * 1024 * 1024

const longestText = maxRequestBytes - 2

const text = simple('string', 2, longestText)

/**
 * Types of a schema and of its parts, each created on demand. Source: Kubernetes documentation, "Validation rules", the
 * table of types; "Resource use by validation functions".
 */
export class SchemaTypes {
  readonly #root: JsonSchemaProps
  readonly #known = new Map<JsonSchemaProps, SchemaType | undefined>()

  constructor(root: JsonSchemaProps) {
    this.#root = root
  }

  /** Type of a schema; undefined: rules cannot access such values. */
  of(props: JsonSchemaProps): SchemaType | undefined {
    if (this.#known.has(props)) return this.#known.get(props)
    const made = this.#made(props)
    this.#known.set(props, made)
    return made
  }

  #made(props: JsonSchemaProps): SchemaType | undefined {
    if (props['x-kubernetes-int-or-string'] === true) return intOrString(props)
    const { type, items, additionalProperties } = props
    const isWhole = props === this.#root || props['x-kubernetes-embedded-resource'] === true
    if (type === 'array') return isObject(items) ? this.#list(props, items) : undefined
    if (type !== 'object') return scalar(props)
    return isObject(additionalProperties)
      ? this.#map(props, additionalProperties)
      : this.#object(props, isWhole)
  }

  #list({ maxItems }: JsonSchemaProps, items: JsonSchemaProps): SchemaType | undefined {
    const element = this.of(items)
    if (element === undefined) return undefined
    const most = Math.floor(longestText / (element.minSize + 1))
    return {
      type: listOf(element.type),
      maxElements: notNegative(maxItems ?? most),
      minSize: 2,
      element,
    }
  }

  /** Type of a map. Each member also needs a key, quotation marks, a colon and a comma. */
  #map({ maxProperties }: JsonSchemaProps, members: JsonSchemaProps): SchemaType | undefined {
    const element = this.of(members)
    if (element === undefined) return undefined
    const most = Math.floor(longestText / (element.minSize + 6))
    return {
      type: mapOf(plainText.type, element.type),
      maxElements: notNegative(maxProperties ?? most),
      minSize: 2,
      element,
      key: plainText,
    }
  }

  #object(props: JsonSchemaProps, isWhole: boolean): SchemaType {
    const { properties = {} } = props
    const known = fieldsOf(properties)
    const isGiven = isWhole && hasEnvelope(properties)
    const fieldOf = (name: string): SchemaType | undefined => {
      if (isWhole && !isGiven && Object.hasOwn(envelope, name)) return envelope[name]
      const property = known.get(name)
      return property && this.of(property)
    }
    return {
      type: objectType((name) => fieldOf(name)?.type),
      maxElements: 0,
      minSize: this.#smallest(props, isWhole && !isGiven),
      fieldOf,
    }
  }

  /** Minimum size of an object with its required fields, except for those that the server sets. */
  #smallest({ properties = {}, required = [] }: JsonSchemaProps, isEnveloped: boolean): number {
    return [...new Set(required)].reduce((sum, name) => {
      const isOfEnvelope = isEnveloped && Object.hasOwn(envelope, name)
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!isOfEnvelope && (property === undefined || (property.default ?? null) !== null))
        return sum
      const found = isOfEnvelope ? envelope[name] : property && this.of(property)
      return found === undefined ? sum : sum + Buffer.byteLength(name) + found.minSize + 4
    }, 2)
  }
}

function simple(name: string, minSize: number, maxElements = 0): SchemaType {
  return { type: typeNamed(name), minSize, maxElements }
}

/** Type of map keys, which have no size limit of their own. */
const plainText: SchemaType = { ...text, maxElements: 0 }

const envelope: Readonly<Record<string, SchemaType>> = {
  apiVersion: text,
  kind: text,
  metadata: {
    type: objectType((name) => metadataField(name)?.type),
    maxElements: 0,
    minSize: 2,
    fieldOf: metadataField,
  },
}

function metadataField(name: string): SchemaType | undefined {
  return name === 'name' || name === 'generateName' ? text : undefined
}

/** Reports whether the schema declares the common fields of objects. */
function hasEnvelope(properties: Readonly<Record<string, JsonSchemaProps>>): boolean {
  const isText = (props: JsonSchemaProps | undefined) => props?.type === 'string'
  const { apiVersion, kind, metadata } = properties
  const { name, generateName } = metadata?.properties ?? {}
  return [apiVersion, kind, name, generateName].every(isText) && metadata?.type === 'object'
}

function notNegative(count: number): number {
  return Math.max(0, count)
}

function intOrString({ maxLength }: JsonSchemaProps): SchemaType {
  const most = maxLength === undefined ? longestText : notNegative(maxLength) * 4
  return { type: dyn, minSize: 1, maxElements: most }
}

function scalar(props: JsonSchemaProps): SchemaType | undefined {
  return props.type === 'string' ? textOf(props) : scalars[props.type ?? '']
}

const scalars: Readonly<Record<string, SchemaType>> = {
  boolean: simple('bool', 4),
  number: simple('double', 1),
  integer: simple('int', 1),
}

const formats: Readonly<Record<string, SchemaType>> = {
  duration: simple('duration', 3, 32),
  date: simple('timestamp', 12, 12),
  'date-time': simple('timestamp', 21, 32),
}

/** Type of a string, in which a character takes up to four bytes. */
function textOf({ format = '', maxLength, enum: allowed = [] }: JsonSchemaProps): SchemaType {
  if (format === 'byte') return simple('bytes', 2, notNegative(maxLength ?? longestText))
  const known = formats[format]
  if (known !== undefined) return known
  if (maxLength !== undefined) return { ...text, maxElements: notNegative(maxLength) * 4 }
  if (allowed.length === 0) return text
  const lengths = allowed.map((one) => (typeof one === 'string' ? Buffer.byteLength(one) : 0))
  return { ...text, maxElements: Math.max(...lengths) }
}

const fieldMaps = new WeakMap<object, ReadonlyMap<string, JsonSchemaProps>>()

/** Properties of a schema, by the names under which expressions select them. */
function fieldsOf(
  properties: Readonly<Record<string, JsonSchemaProps>>,
): ReadonlyMap<string, JsonSchemaProps> {
  let fields = fieldMaps.get(properties)
  if (fields === undefined) {
    const entries = Object.entries(properties).flatMap(([name, one]) =>
      selectors(name).map((selector) => [selector, one] as const),
    )
    fieldMaps.set(properties, (fields = new Map(entries)))
  }
  return fields
}
