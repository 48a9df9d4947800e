import { objectMetaSchema } from '../../../meta/objectMetaSchema.ts'
import type { Schema } from '../../../meta/schema.ts'

/** What apply needs to know of a node of a schema: which forms a value may have, and what is owned as one piece.
 *  Source: structured-merge-diff, "Schema"; the conversion from OpenAPI of kube-openapi's schemaconv; reference 3.12. */
export interface FieldType {
  scalar: ScalarType | undefined
  list: ListType | undefined
  map: MapType | undefined
}

/** One of the forms. */
export type Form = ScalarType | ListType | MapType

export interface ScalarType {
  form: 'scalar'
  of: 'numeric' | 'string' | 'boolean' | 'untyped'
}

export interface ListType {
  form: 'list'
  isAtomic: boolean
  /** Names of the fields that tell items apart; none in a set, whose items are told apart by their value. */
  keys: readonly string[]
  /** Values of keys that an item leaves out. */
  keyDefaults: ReadonlyMap<string, unknown>
  items: FieldType
}

export interface MapType {
  form: 'map'
  isAtomic: boolean
  /** The declared fields. */
  fields: ReadonlyMap<string, StructField>
  /** The type of all other fields; undefined: there are none. */
  elements: FieldType | undefined
}

export interface StructField {
  /** `f:<name>`, made once. */
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

/** Anything, as one piece. */
const untypedAtomic = untyped(true)

/** Anything: maps field by field, lists as one piece. What there is no schema for. */
export const deducedType = untyped(false, untypedAtomic)

/** One memo per answer to "does a schema above say that unknown fields are kept?". */
const compiled = [new WeakMap<Schema, FieldType>(), new WeakMap<Schema, FieldType>()] as const

/** The type that a schema stands for; made once per schema object, so hold on to the schema. */
export function fieldType(schema: Schema): FieldType {
  return typeOf(schema, false)
}

function typeOf(schema: Schema, isInherited: boolean): FieldType {
  // A shared definition stands for itself: it inherits nothing from where it is used.
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

/** A shared definition without a type says nothing to clients of what is in it, and whoever applies it is one.
 *  Source: OpenAPI of apiextensions.k8s.io/v1, JSONSchemaPropsOrArray. */
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
  const defaults = keys?.map((key) => [key, items?.properties?.[key]?.default] as const) ?? []
  return {
    form: 'list',
    isAtomic: keys === undefined,
    keys: keys ?? [],
    keyDefaults: new Map(defaults.filter(([, value]) => value !== undefined)),
    items: items === undefined ? untypedAtomic : typeOf(items, keepsUnknown),
  }
}

/** undefined for an atomic list, none for a set. The patch strategy of older schemas counts where there is no list
 *  type. */
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
