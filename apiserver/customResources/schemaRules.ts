import { memberPath } from '../meta/fieldPath.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  duplicateField,
  forbiddenField,
  requiredField,
  invalidField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { goQuote } from '../meta/goQuote.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { Schema } from '../meta/schema.ts'
import type { CelLibrary, CompiledRule } from '../cel/library.ts'
import type { JsonSchemaProps, ValidationRule } from '../meta/jsonSchemaProps.ts'
import { ruleField } from './ruleField.ts'

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

/** What the rules of one object may cost. */
const mostSpent = 10_000_000

interface Visited {
  value: unknown
  /** What stood there before; undefined: nothing that can be told to be the same. */
  old: unknown
  path: string
}

/** What the rules say of a value. `old` undefined: it is new.
 *  Source: Kubernetes documentation, "Validation rules", "Transition rules", "Validation ratcheting". */
export function ruleErrors(rules: SchemaRules, visited: Visited): FieldError[] {
  const errors = new Evaluation().errors(rules, { ...visited, isSame: () => false })
  return errors.map((error) => (error.field === '' ? { ...error, field: '<nil>' } : error))
}

interface Place extends Visited {
  /** Whether the nearest value above that has a counterpart is as it was. */
  isSame: () => boolean
}

/** Asks the rules of one object until they have cost too much. */
class Evaluation {
  #left = mostSpent
  #isOver = false

  errors(rules: SchemaRules, place: Place): FieldError[] {
    const { value } = place
    if (value === null || value === undefined || this.#isOver) return []
    const here = { ...place, isSame: sameAt(place) }
    const own = this.#own(rules, here)
    return [...own, ...this.#below(rules, here)]
  }

  #below(rules: SchemaRules, { value, old, path, isSame }: Place): FieldError[] {
    const { items, members, properties, keys } = rules
    if (Array.isArray(value)) {
      if (items === undefined) return []
      return value.flatMap((item: unknown, at) => {
        const before = counterpart(item, old, keys)
        return this.errors(items, { value: item, old: before, path: `${path}[${at}]`, isSame })
      })
    }
    if (!isObject(value)) return []
    const before = isObject(old) ? old : {}
    return Object.entries(value).flatMap(([name, member]) => {
      const found = properties.get(name) ?? members
      const at = properties.has(name) ? memberPath(path, name) : `${path}[${name}]`
      return found === undefined
        ? []
        : this.errors(found, { value: member, old: before[name], path: at, isSame })
    })
  }

  #own({ rules, schema, cel }: SchemaRules, { value, old, path, isSame }: Place): FieldError[] {
    if (rules.length === 0) return []
    if (this.#left <= 0) return [this.#end(path, schema, outOfBudget)]
    const self = cel.valueOf(value, schema)
    const oldSelf = old === undefined || old === null ? undefined : cel.valueOf(old, schema)
    const errors: FieldError[] = []
    for (const one of rules) {
      if (this.#isOver) break
      errors.push(...this.#one(one, { self, oldSelf, isSame, value, path, schema }))
    }
    return errors
  }

  /** What was accepted before is only refused by rules about the old value. */
  #one({ rule, compiled }: ReadRule, of: Evaluated): FieldError[] {
    const { self, oldSelf, isSame, path, schema } = of
    if (compiled.usesOldSelf && oldSelf === undefined && rule.optionalOldSelf !== true) return []
    const outcome = attempt(() => compiled.holds(self, oldSelf))
    if (!this.#spend(compiled.spent)) return [this.#end(path, schema, outOfBudget)]
    if (outcome.error !== undefined) return [this.#failure(rule, of, outcome.error)]
    if (outcome.value === true) return []
    const { message, end } = this.#message({ rule, compiled }, of)
    if (isSame() && !compiled.usesOldSelf) return []
    if (end !== undefined) return [end]
    return [
      brokenRule(rule, ruleField(path, rule.fieldPath ?? '', schema), { value: of.value, message }),
    ]
  }

  /** The message that an expression makes, or that of the rule. */
  #message({ rule, compiled }: ReadRule, of: Evaluated): { message: string; end?: FieldError } {
    const { self, oldSelf, path, schema } = of
    const message = rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`
    if (rule.messageExpression === undefined) return { message }
    const outcome = attempt(() => compiled.message(self, oldSelf))
    if (!this.#spend(compiled.spent)) {
      const why = `messageExpression evaluation failed due to ${budget}`
      return { message, end: this.#end(path, schema, why) }
    }
    if (outcome.error?.startsWith(exceeded) === true) {
      const why = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(rule.messageExpression)}`
      return { message, end: this.#end(path, schema, why) }
    }
    return { message: outcome.value?.trim() ?? message }
  }

  #failure(rule: ValidationRule, { path, schema }: Evaluated, why: string): FieldError {
    const of = rule.message?.trim() ?? rule.rule.trim()
    if (why.startsWith(exceeded)) {
      const text = `'${why}': no further validation rules will be run due to call cost exceeds limit for rule: ${of}`
      return this.#end(path, schema, text)
    }
    const text = why.startsWith('no such overload')
      ? `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${of}`
      : `${why} evaluating rule: ${of}`
    return invalidField(path, schema.type ?? '', text)
  }

  /** Whether what is left is enough. */
  #spend(cost: number): boolean {
    if (cost > this.#left) return false
    this.#left -= cost
    return true
  }

  /** The last that is said. */
  #end(path: string, { type }: Schema, why: string): FieldError {
    this.#isOver = true
    return invalidField(path, type ?? '', why)
  }
}

const exceeded = 'operation cancelled: actual cost limit exceeded'
const budget = 'running out of cost budget, no further validation rules will be run'
const outOfBudget = `validation failed due to ${budget}`

function attempt<T>(ask: () => T): { value?: T; error?: string } {
  try {
    return { value: ask() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** Found out once, when it is asked. */
function sameAt({ value, old, isSame }: Place): () => boolean {
  if (old === undefined) return isSame
  let found: boolean | undefined
  return () => (found ??= isDeepStrictEqual(value, old))
}

/** The item of the old list with the same keys. */
function counterpart(item: unknown, old: unknown, keys: readonly string[] | undefined): unknown {
  if (keys === undefined || !isObject(item) || !Array.isArray(old)) return undefined
  return old.find(
    (other: unknown) =>
      isObject(other) && keys.every((key) => isDeepStrictEqual(item[key], other[key])),
  )
}

type ReadRule = SchemaRules['rules'][number]

interface Evaluated {
  self: unknown
  oldSelf: unknown
  isSame: () => boolean
  value: unknown
  path: string
  schema: Schema
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
      if (typeof value !== 'object') return duplicateField(field, value)
      return { reason, field, message: 'Duplicate value' }
    case undefined:
    default:
      if (typeof value !== 'object') return invalidField(field, value, message)
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` }
  }
}
