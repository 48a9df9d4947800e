import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import type { JsonSchemaProps } from '../../../meta/jsonSchemaProps.ts'
import { propertyPath } from './structuralRules.ts'

const listTypes = ['atomic', 'set', 'map']

/** Errors for a list type and its keys. Source: apiextensions, validation of the OpenAPI schema. */
export function listTypeRules(schema: JsonSchemaProps, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const errors = listType === undefined ? [] : typeErrors(schema, listType, path)
  if (keys.length > 0 && listType !== 'map') errors.push(keysWithoutMap(listType, path))
  const items = isObject(schema.items) ? schema.items : undefined
  if (listType === 'set' && items !== undefined) errors.push(...setErrors(items, path))
  if (listType === 'map' && Array.isArray(schema.items))
    errors.push(severalSchemas(schema.items, path))
  else if (listType === 'map') errors.push(...mapErrors(items, keys, path))
  return [...errors, ...nullableErrors(items, listType, path)]
}

function severalSchemas(items: readonly unknown[], path: string): FieldError {
  const why = 'must only have a single schema if x-kubernetes-list-type is map'
  return invalidField(`${path}.items`, { Schema: null, JSONSchemas: items }, why)
}

function nullableErrors(
  items: JsonSchemaProps | undefined,
  listType: string | undefined,
  path: string,
): FieldError[] {
  if (items?.nullable !== true || (listType !== 'set' && listType !== 'map')) return []
  const why = `cannot be nullable when x-kubernetes-list-type is ${listType}`
  return [forbiddenField(`${path}.items.nullable`, why)]
}

function keysWithoutMap(listType: string | undefined, path: string): FieldError {
  const why = 'must be map if x-kubernetes-list-map-keys is non-empty'
  const at = `${path}.x-kubernetes-list-type`
  return listType === undefined ? requiredField(at, why) : invalidField(at, listType, why)
}

function typeErrors({ type = '' }: JsonSchemaProps, listType: string, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (type !== 'array') {
    const why = 'must be array if x-kubernetes-list-type is specified'
    errors.push(
      type === '' ? requiredField(`${path}.type`, why) : invalidField(`${path}.type`, type, why),
    )
  }
  if (!listTypes.includes(listType))
    errors.push(notSupportedField(`${path}.x-kubernetes-list-type`, listType, listTypes))
  return errors
}

/** Errors for a set, whose items are distinguished by their whole value. */
function setErrors(items: JsonSchemaProps, path: string): FieldError[] {
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const inner = items['x-kubernetes-list-type'] ?? 'atomic'
  if (items.type === 'array' && inner !== 'atomic')
    return [invalidField(`${path}.items.x-kubernetes-list-type`, inner, why)]
  const mapType = items['x-kubernetes-map-type']
  return items.type === 'object' && mapType !== 'atomic'
    ? [invalidField(`${path}.items.x-kubernetes-map-type`, mapType, why)]
    : []
}

function mapErrors(
  items: JsonSchemaProps | undefined,
  keys: readonly string[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  const at = `${path}.x-kubernetes-list-map-keys`
  if (keys.length === 0)
    errors.push(requiredField(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (items === undefined) {
    const why = 'must have a schema if x-kubernetes-list-type is map'
    return [...errors, requiredField(`${path}.items`, why)]
  }
  if (items.type !== 'object') {
    const why = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalidField(`${path}.items.type`, items.type ?? '', why)]
  }
  if (new Set(keys).size < keys.length)
    errors.push(invalidField(at, keys, 'must not contain duplicate entries'))
  return [...errors, ...keys.flatMap((key) => keyErrors(items, { key, keys, path }))]
}

function keyErrors(
  items: JsonSchemaProps,
  { key, keys, path }: { key: string; keys: readonly string[]; path: string },
): FieldError[] {
  const property = items.properties?.[key]
  if (property === undefined) {
    const why = 'entries must all be names of item properties'
    return [invalidField(`${path}.x-kubernetes-list-map-keys`, keys, why)]
  }
  const at = propertyPath(`${path}.items`, key)
  const errors: FieldError[] = []
  if (property.type === 'array' || property.type === 'object') {
    const why = "must be a scalar type if parent array's x-kubernetes-list-type is map"
    errors.push(invalidField(`${at}.type`, items.type, why))
  }
  if (items.required?.includes(key) !== true && property.default === undefined) {
    const why =
      'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
    errors.push(requiredField(`${at}.default`, why))
  }
  if (property.nullable === true) {
    const why = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'
    errors.push(forbiddenField(`${at}.nullable`, why))
  }
  return errors
}
