import { objectMetaSchema } from '../../../meta/objectMetaSchema.ts'
import type { Schema } from '../../../meta/schema.ts'

/**
 * The type of a schema node for apply: allowed forms of a value, and whether it is owned as a whole.
 * Source: structured-merge-diff, "Schema"; the conversion from OpenAPI of kube-openapi's schemaconv; reference 3.12.
 */
export interface FieldType {
  scalar: ScalarType | undefined
  list: ListType | undefined
  map: MapType | undefined
}

/** A form of values. */
export type Form = ScalarType | ListType | MapType

export interface ScalarType {
  form: 'scalar'
  of: 'numeric' | 'string' | 'boolean' | 'untyped'
}

export interface ListType {
  form: 'list'
  isAtomic: boolean
  /**
   * Names of the fields that identify items; empty for a set, in which the value identifies an
   * item.
   */
  keys: readonly string[]
  /** Defaults of keys that an item omits. */
  keyDefaults: ReadonlyMap<string, unknown>
  items: FieldType
}

export interface MapType {
  form: 'map'
  isAtomic: boolean
  /** The declared fields. */
  fields: ReadonlyMap<string, StructField>
  /** The type of all other fields; undefined: not allowed. */
  elements: FieldType | undefined
}

export interface StructField {
  /** `f:<name>`, created once. */
  element: string
  type: FieldType
}

function scalar(of: ScalarType['of']): ScalarType {
  return { form: 'scalar', of }
}

const noDefaults: ReadonlyMap<string, unknown> = new Map()

function untyped(isAtomicMap: boolean, listItems?: FieldType): FieldType {
  const type: FieldType = { scalar: scalar('untyped'), list: undefined, map: undefined }
  const items = listItems ?? type
  type.list = { form: 'list', isAtomic: true, keys: [], keyDefaults: noDefaults, items }
  type.map = { form: 'map', isAtomic: isAtomicMap, fields: new Map(), elements: type }
  return type
}

/** Any value, owned as a whole. */
const untypedAtomic = untyped(true)

/** Any value without a schema: maps field by field, lists as a whole. */
export const deducedType = untyped(false, untypedAtomic)

/** Caches by whether a parent schema keeps unknown fields. */
const compiled = [new WeakMap<Schema, FieldType>(), new WeakMap<Schema, FieldType>()] as const

/** The type of a schema; cached by schema object, so reuse the schema. */
export function fieldType(schema: Schema): FieldType {
  return typeOf(schema, false)
}

function typeOf(schema: Schema, isInherited: boolean): FieldType {
  // A shared definition is self-contained: it inherits nothing from its use.
  const keepsUnknown =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    (isInherited && schema.definition === undefined)
  const memo = compiled[keepsUnknown ? 1 : 0]
  const known = memo.get(schema)
  if (known !== undefined) return known
  const type: FieldType = { scalar: undefined, list: undefined, map: undefined }
  memo.set(schema, type)
  return Object.assign(type, formsOf(schema, keepsUnknown))
}

function formsOf(schema: Schema, keepsUnknown: boolean): Partial<FieldType> {
  switch (schema.type) {
    case 'object':
      return { map: mapType(schema, keepsUnknown) }
    case 'array':
      return { list: listType(schema, keepsUnknown) }
    case 'integer':
    case 'number':
      return { scalar: scalar('numeric') }
    case 'boolean':
      return { scalar: scalar('boolean') }
    case 'string':
      return { scalar: scalar(stringType(schema)) }
    case undefined:
    default:
      if (isOpaque(schema)) return deducedType
      return {
        scalar: scalar('untyped'),
        list: listType(schema, keepsUnknown),
        map: mapType(schema, keepsUnknown),
      }
  }
}

/**
 * Reports whether a definition is opaque: a shared definition without a type does not describe its content to clients,
 * including appliers.
 * Source: OpenAPI of apiextensions.k8s.io/v1, JSONSchemaPropsOrArray.
 */
function isOpaque({ definition, properties }: Schema): boolean {
  return definition !== undefined && properties !== undefined
}

function stringType({ format, ...schema }: Schema): ScalarType['of'] {
  if (schema['x-kubernetes-int-or-string'] === true) return 'untyped'
  return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped'
}

function mapType(schema: Schema, keepsUnknown: boolean): MapType {
  const properties = Object.entries(propertiesOf(schema))
  return {
    form: 'map',
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    fields: new Map(
      properties.map(([name, property]) => [
        name,
        { element: `f:${name}`, type: typeOf(property, keepsUnknown) },
      ]),
    ),
    elements: elementType(schema, keepsUnknown),
  }
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (schema['x-kubernetes-embedded-resource'] !== true) return schema.properties ?? {}
  const text: Schema = { type: 'string' }
  return { ...schema.properties, apiVersion: text, kind: text, metadata: objectMetaSchema }
}

function elementType(schema: Schema, keepsUnknown: boolean): FieldType | undefined {
  if (schema.additionalProperties !== undefined) {
    return typeOf(schema.additionalProperties, keepsUnknown)
  }
  const isFree = keepsUnknown || Object.keys(schema.properties ?? {}).length === 0
  return isFree ? deducedType : undefined
}

function listType(schema: Schema, keepsUnknown: boolean): ListType {
  const { items } = schema
  const keys = mapKeys(schema)
  const defaults = keys?.map((key) => [key, keyDefault(items?.properties?.[key])] as const) ?? []
  return {
    form: 'list',
    isAtomic: keys === undefined,
    keys: keys ?? [],
    keyDefaults: new Map(defaults.filter(([, value]) => value !== undefined)),
    items: items === undefined ? untypedAtomic : typeOf(items, keepsUnknown),
  }
}

/** Default of a key: the empty value for a key of a built-in kind that is always written. */
function keyDefault(key: Schema | undefined): unknown {
  return key?.default ?? key?.zero
}

/**
 * Keys of a map list; undefined for an atomic list, empty for a set. The patch strategy of older schemas is used if
 * there is no list type.
 */
function mapKeys(schema: Schema): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'atomic':
      return undefined
    case 'set':
      return []
    case 'map':
      return schema['x-kubernetes-list-map-keys'] ?? []
    case undefined:
    default:
      return mergeKeys(schema)
  }
}

function mergeKeys(schema: Schema): readonly string[] | undefined {
  const key = schema['x-kubernetes-patch-merge-key']
  const strategy = schema['x-kubernetes-patch-strategy']
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return undefined
  return key === undefined ? [] : [key]
}
