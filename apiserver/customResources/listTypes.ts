import { jsonText } from '../meta/json/exactJson.ts'
import { duplicateField, invalidField, type FieldError } from '../meta/fieldErrors.ts'
import { memberPath } from '../meta/fieldPath.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { Schema } from '../meta/schema.ts'

/**
 * Errors for duplicate items in sets and keyed lists. Source: Kubernetes documentation, "Merge
 * strategy".
 */
export function listTypeErrors(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema
    const own = repeats(value, schema, path)
    if (items === undefined) return own
    return [...own, ...value.flatMap((item, at) => listTypeErrors(item, items, `${path}[${at}]`))]
  }
  if (!isObject(value)) return []
  const { properties, additionalProperties } = schema
  return Object.entries(value).flatMap(([name, member]) => {
    const isDeclared = properties !== undefined && Object.hasOwn(properties, name)
    if (isDeclared) return listTypeErrors(member, properties[name] ?? {}, memberPath(path, name))
    return additionalProperties === undefined
      ? []
      : listTypeErrors(member, additionalProperties, `${path}[${name}]`)
  })
}

function repeats(items: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type']
  if (type !== 'set' && type !== 'map') return []
  const names = schema['x-kubernetes-list-map-keys'] ?? []
  const identity = (item: unknown) => (type === 'set' ? item : keysOf(item, names))
  const odd = type === 'map' ? items.findIndex((item) => item !== null && !isObject(item)) : -1
  if (odd >= 0) return [invalidField(`${path}[${odd}]`, items[odd], notKeyed)]
  const seen = new Map<string, number>()
  return items.flatMap((item, at) => {
    const key = jsonText(identity(item))
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times === 2 ? [duplicateField(`${path}[${at}]`, identity(item))] : []
  })
}

const notKeyed = 'must be an object for an array of list-type map'

function keysOf(item: unknown, names: readonly string[]): Record<string, unknown> {
  const given = isObject(item) ? item : {}
  const present = names.filter((name) => Object.hasOwn(given, name))
  return Object.fromEntries(present.map((name) => [name, given[name]]))
}
