import { goJsonType } from '../../meta/json/goJsonType.ts'
import type { Schema } from '../../meta/schema.ts'
import { goField, goTypeName, structName } from './goTypeNames.ts'

/** Position of a value in an object of a Go type. */
export interface Place {
  schema: Schema
  /** Parent of the value. Absent: the value is the whole object. */
  parent?: Place
  /** Name of the field. Absent: the value is an item of a list, or a value of a map. */
  name?: string
}

/** Messages and member order of one way in which Go decodes a struct. */
export interface GoVoice {
  /** Members of a struct in decoding order. */
  order: (value: Readonly<Record<string, unknown>>, properties: object) => Iterable<string>
  /** Error of a value that does not fit the type of its field. */
  wrongType: (value: unknown, place: Place) => string
  /** Error of a value refused by a type with its own decoder, which expects `goType`. */
  unreadable: (value: unknown, goType: string, place: Place) => string
  illegalBytes: (at: number) => string
  /** True if an error of a type's own decoder ends the decoding, while other errors are collected until then. */
  savesErrors?: boolean
  /** True if an integer that is too large for its type loses its high bits instead of being refused. */
  wrapsIntegers?: boolean
}

/** The decoder of JSON, and of YAML. */
export const jsonVoice: GoVoice = {
  order: (value) => Object.keys(value),
  wrongType: (value, place) => wrongField(value, goTypeAt(place), place),
  unreadable: (value, goType, place) => wrongField(value, goType, place),
  illegalBytes: (at) => `illegal base64 data at input byte ${at}`,
  savesErrors: true,
}

/** Conversion of maps to structs, as in strategic merge patches and server-side apply. */
export const unstructuredVoice: GoVoice = {
  order: (_value, properties) => Object.keys(properties),
  wrongType: (value, place) => unconverted(value, place),
  unreadable: (value, goType) =>
    `json: cannot unmarshal ${described(value, goType)} into Go value of type ${goType}`,
  illegalBytes: (at) => `error decoding from json: illegal base64 data at input byte ${at}`,
  wrapsIntegers: true,
}

/** Error of a value that does not fit the field of a Go struct (`DeleteOptions.dryRun`). */
export function wrongGoType(value: unknown, field: string, goType: string): string {
  return `json: cannot unmarshal ${described(value, goType)} into Go struct field ${field} of type ${goType}`
}

function wrongField(value: unknown, goType: string, place: Place): string {
  const field = fieldAt(place)
  if (field === undefined)
    return `json: cannot unmarshal ${described(value, goType)} into Go value of type ${goType}`
  const path = `${structName(field.struct)}.${pathOf(place).join('.')}`
  return wrongGoType(value, path, goType)
}

/** Field that contains the value, or the enclosing list or map. */
function fieldAt({ name, parent }: Place): { struct: Schema; name: string } | undefined {
  if (parent === undefined) return undefined
  return name === undefined ? fieldAt(parent) : { struct: parent.schema, name }
}

/** Names of fields, each after the name of the struct that embeds it; items and keys have none. */
function pathOf({ name, parent }: Place): string[] {
  if (parent === undefined) return []
  if (name === undefined) return pathOf(parent)
  const { embedded = typeMetaOf(name, parent) } = goField(parent.schema, name)
  return [...pathOf(parent), ...(embedded === undefined ? [] : [embedded]), name]
}

/** Name of a type field: kind and version of a nested object are fields of an embedded struct. */
function typeMetaOf(name: string, { schema, parent }: Place): string | undefined {
  const isType = name === 'kind' || name === 'apiVersion'
  const isObjectInside = parent !== undefined && schema.properties?.['metadata'] !== undefined
  return isType && isObjectInside ? 'TypeMeta' : undefined
}

function goTypeAt(place: Place): string {
  const field = fieldAt(place)
  const { goType } = field === undefined ? {} : goField(field.struct, field.name)
  if (goType === undefined) return goTypeName(place.schema)
  if (place.name !== undefined) return goType
  // The error about a named list in a map contains its type, but not the type of its items.
  if (place.parent?.name === undefined) return goTypeName(place.schema)
  const item = goType.replace(/^(\[\]|map\[[^\]]*\])/, '')
  // The error about a named list or map does not contain the type of its items.
  return item === goType ? goTypeName(place.schema) : item
}

function unconverted(value: unknown, place: Place): string {
  const { type, format, additionalProperties } = place.schema
  const found = reflectKind(value)
  if (type === 'array' || format === 'byte') return `cannot restore slice from ${found}`
  if (type === 'object' && additionalProperties !== undefined)
    return `cannot restore map from ${found}`
  if (type === 'object') return `cannot restore struct from: ${found}`
  const isConverted =
    type === 'string' ? found === 'int64' : type === 'integer' && found === 'float64'
  if (isConverted) return `cannot convert ${found} to ${goTypeAt(place)}`
  return `unrecognized type: ${goTypeName(place.schema)}`
}

function reflectKind(value: unknown): string {
  if (Array.isArray(value)) return 'slice'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'string' ? 'string' : 'map'
}

/** Value in an error; the literal of a number is quoted if its type accepts other numbers. */
function described(value: unknown, goType: string): string {
  const type = goJsonType(value)
  return type === 'number' && /^u?int\d+$/.test(goType) ? `number ${String(value)}` : type
}
