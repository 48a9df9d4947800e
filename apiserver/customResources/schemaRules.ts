import { memberPath } from '../meta/fieldPath.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  duplicateField,
  forbiddenField,
  requiredField,
  invalidField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { isObject } from '../meta/isObject.ts'
import type { Schema } from '../meta/schema.ts'
import type { CelLibrary, CompiledRule } from './celLibrary.ts'
import type { JsonSchemaProps, ValidationRule } from './definition.ts'

/** The rules of a schema, compiled, in the shape of the schema. */
export interface SchemaRules {
  schema: Schema
  cel: CelLibrary
  rules: { rule: ValidationRule; compiled: CompiledRule }[]
  items: SchemaRules | undefined
  members: SchemaRules | undefined
  properties: ReadonlyMap<string, SchemaRules>
  /** Names of the fields that tell items of a list apart. */
  keys: readonly string[] | undefined
}

/** Whether a rule stands anywhere in the value. */
export function mentionsRules(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsRules)
  if (!isObject(value)) return false
  const own = value['x-kubernetes-validations']
  return (Array.isArray(own) && own.length > 0) || Object.values(value).some(mentionsRules)
}

/** undefined: there are none. `schema` is what structuralSchema() made of `props`.
 *  @throws Error where a rule cannot be compiled; the kind of the definition refuses those. */
export function schemaRules(
  props: JsonSchemaProps,
  schema: Schema,
  cel: CelLibrary,
): SchemaRules | undefined {
  const { items, additionalProperties, properties = {} } = props
  const below = (one: unknown, its: Schema | undefined) =>
    isObject(one) ? schemaRules(one, its ?? {}, cel) : undefined // parts of a schema are schemas
  const fields = Object.entries(properties).flatMap(([name, one]): [string, SchemaRules][] => {
    const found = below(one, schema.properties?.[name])
    return found === undefined ? [] : [[name, found]]
  })
  const found: SchemaRules = {
    schema,
    cel,
    rules: (props['x-kubernetes-validations'] ?? []).map((rule) => ({
      rule,
      compiled: cel.compile(rule),
    })),
    items: below(items, schema.items),
    members: below(additionalProperties, schema.additionalProperties),
    properties: new Map(fields),
    keys:
      props['x-kubernetes-list-type'] === 'map' ? props['x-kubernetes-list-map-keys'] : undefined,
  }
  const isEmpty = found.rules.length === 0 && fields.length === 0 && !found.items && !found.members
  return isEmpty ? undefined : found
}

interface Visited {
  value: unknown
  /** What stood there before; undefined: nothing that can be told to be the same. */
  old: unknown
  path: string
}

/** What the rules say of a value. `old` undefined: it is new.
 *  Source: Kubernetes documentation, "Validation rules", "Transition rules". */
export function ruleErrors(rules: SchemaRules, { value, old, path }: Visited): FieldError[] {
  if (value === null || value === undefined) return []
  return [...ownErrors(rules, { value, old, path }), ...errorsBelow(rules, { value, old, path })]
}

function errorsBelow(rules: SchemaRules, { value, old, path }: Visited): FieldError[] {
  const { items, members, properties, keys } = rules
  if (Array.isArray(value)) {
    if (items === undefined) return []
    return value.flatMap((item: unknown, at) =>
      ruleErrors(items, { value: item, old: counterpart(item, old, keys), path: `${path}[${at}]` }),
    )
  }
  if (!isObject(value)) return []
  const before = isObject(old) ? old : {}
  return Object.entries(value).flatMap(([name, member]) => {
    const found = properties.get(name) ?? members
    const at = properties.has(name) ? memberPath(path, name) : `${path}[${name}]`
    return found === undefined
      ? []
      : ruleErrors(found, { value: member, old: before[name], path: at })
  })
}

/** The item of the old list with the same keys. */
function counterpart(item: unknown, old: unknown, keys: readonly string[] | undefined): unknown {
  if (keys === undefined || !isObject(item) || !Array.isArray(old)) return undefined
  return old.find(
    (other: unknown) =>
      isObject(other) && keys.every((key) => isDeepStrictEqual(item[key], other[key])),
  )
}

function ownErrors(
  { rules, schema, cel }: SchemaRules,
  { value, old, path }: Visited,
): FieldError[] {
  if (rules.length === 0) return []
  const self = cel.valueOf(value, schema)
  const oldSelf = old === undefined || old === null ? undefined : cel.valueOf(old, schema)
  const isSame = oldSelf !== undefined && isDeepStrictEqual(value, old)
  return rules.flatMap((one) => oneError(one, { self, oldSelf, isSame, value, path, schema }))
}

interface Evaluated {
  self: unknown
  oldSelf: unknown
  /** Nothing changed. */
  isSame: boolean
  value: unknown
  path: string
  schema: Schema
}

function oneError(
  { rule, compiled }: SchemaRules['rules'][number],
  { self, oldSelf, isSame, value, path, schema }: Evaluated,
): FieldError[] {
  if (isPassedOver({ rule, compiled }, oldSelf, isSame)) return []
  try {
    if (compiled.holds(self, oldSelf)) return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const of = rule.message ?? rule.rule.trim()
    return [invalidField(path, schema.type ?? '', `${why} evaluating rule: ${of}`)]
  }
  const told = compiled.message(self, oldSelf) ?? rule.message
  const message = told?.trim() ?? `failed rule: ${rule.rule.trim()}`
  return [brokenRule(rule, `${path}${rule.fieldPath ?? ''}`, { value, message })]
}

/** A rule about the old value where there is none, or any other where the value is as it was: it was accepted. */
function isPassedOver(
  { rule, compiled: { usesOldSelf } }: SchemaRules['rules'][number],
  oldSelf: unknown,
  isSame: boolean,
): boolean {
  if (!usesOldSelf) return isSame
  return oldSelf === undefined && rule.optionalOldSelf !== true
}

function brokenRule(
  { reason }: ValidationRule,
  field: string,
  { value, message }: { value: unknown; message: string },
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, message)
    case 'FieldValueRequired':
      return requiredField(field, message)
    case 'FieldValueDuplicate':
      return duplicateField(field, value)
    case undefined:
    default:
      if (typeof value !== 'object') return invalidField(field, value, message)
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
  }
}
