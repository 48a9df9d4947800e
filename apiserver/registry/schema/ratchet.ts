import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Schema } from '../../meta/schema.ts'

/**
 * The errors that an update introduced: unchanged values were accepted once, and a stricter schema must not block other
 * changes. Source: Kubernetes documentation, "Validation ratcheting".
 */
export function ratcheted(
  errors: readonly FieldError[],
  next: unknown,
  old: unknown,
  schema: Schema = {},
): FieldError[] {
  return errors.filter(({ reason, field }) => {
    const path = steps(field)
    // A missing field is missing in its parent object.
    return !isUnchanged(
      { next, old, schema },
      reason === 'FieldValueRequired' ? path.slice(0, -1) : path,
    )
  })
}

/** Splits `spec.list[0].name` into its parts. */
function steps(field: string): (string | number)[] {
  return field.split('.').flatMap((part) => {
    const [name = '', ...indexes] = part.split('[')
    return [name, ...indexes.map((index) => Number.parseInt(index, 10))]
  })
}

interface Compared {
  next: unknown
  old: unknown
  schema: Schema
}

/**
 * Whether a value is unchanged. Items of a list only have counterparts by their keys: otherwise the whole list has to
 * be equal. A path that cannot be followed counts as changed.
 */
function isUnchanged(
  { next, old, schema }: Compared,
  [step, ...rest]: readonly (string | number)[],
): boolean {
  if (step === undefined) return next !== undefined && isDeepStrictEqual(next, old)
  if (Array.isArray(next)) {
    const item: unknown = next[Number(step)]
    return isDeepStrictEqual(next, old) || isItemUnchanged({ next: item, old, schema }, rest)
  }
  if (!isObject(next) || !isObject(old) || !Object.hasOwn(next, step)) return false
  return isUnchanged({ next: next[step], old: old[step], schema: memberOf(schema, step) }, rest)
}

function memberOf(
  { properties = {}, additionalProperties = {} }: Schema,
  name: string | number,
): Schema {
  return (Object.hasOwn(properties, name) ? properties[name] : additionalProperties) ?? {}
}

/** Whether an item is unchanged: `next` is an item of a list, `old` the whole list. */
function isItemUnchanged(
  { next, old, schema }: Compared,
  rest: readonly (string | number)[],
): boolean {
  const before = itemWithKeys(old, next, schema)
  if (before === undefined) return false
  return isUnchanged({ next, old: before, schema: schema.items ?? {} }, rest)
}

/** The item of a list with the same keys as another; undefined: there is none, or the list has no keys. */
function itemWithKeys(list: unknown, item: unknown, schema: Schema): unknown {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0) return undefined
  if (!Array.isArray(list) || !isObject(item)) return undefined
  return list.find(
    (other: unknown) =>
      isObject(other) && keys.every((key) => isDeepStrictEqual(item[key], other[key])),
  )
}
