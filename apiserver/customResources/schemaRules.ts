import type { Allowance } from '../meta/collections/allowance.ts'
import { memberPath } from '../meta/fieldPath.ts'
import {
  duplicateField,
  forbiddenField,
  requiredField,
  invalidField,
  ToldLength,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { goQuote } from '../meta/goQuote.ts'
import { messageOf } from '../meta/messageOf.ts'
import { atOnce, type Steps } from '../meta/waiting/steps.ts'
import { isObject } from '../meta/json/isObject.ts'
import { ownMember } from '../meta/json/plainMembers.ts'
import type { Schema } from '../meta/schema.ts'
import { KeyedItems, type Correlated } from '../registry/schema/correlated.ts'
import type { CelLibrary, CompiledRule } from '../cel/library.ts'
import type { JsonSchemaProps, ValidationRule } from '../meta/jsonSchemaProps.ts'
import { ruleField } from './ruleField.ts'

/** Compiled rules of a schema, with the same structure as the schema. */
export interface SchemaRules {
  schema: Schema
  cel: CelLibrary
  rules: { rule: ValidationRule; compiled: CompiledRule }[]
  items: SchemaRules | undefined
  members: SchemaRules | undefined
  properties: ReadonlyMap<string, SchemaRules>
  /** Names of the fields that identify items of a list. */
  keys: readonly string[] | undefined
}

/** Reports whether a value contains validation rules. */
export function mentionsRules(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsRules)
  if (!isObject(value)) return false
  const own = value['x-kubernetes-validations']
  return (Array.isArray(own) && own.length > 0) || Object.values(value).some(mentionsRules)
}

/** Compiled rules of parts of a schema; undefined: none. */
export type KnownRules = Map<JsonSchemaProps, SchemaRules | undefined>

/**
 * Compiles the rules of a schema; undefined: no rules. `schema` is the structuralSchema() of
 * `props`. Parts in `known` are not compiled again.
 * @throws Error for a rule that cannot be compiled; the kind of definitions refuses such rules.
 */
export function schemaRules(
  props: JsonSchemaProps,
  schema: Schema,
  cel: CelLibrary,
  known?: KnownRules,
): SchemaRules | undefined {
  if (known?.has(props) === true) return known.get(props)
  const rules = readRules(props, schema, cel, known)
  known?.set(props, rules)
  return rules
}

function readRules(
  props: JsonSchemaProps,
  schema: Schema,
  cel: CelLibrary,
  known?: KnownRules,
): SchemaRules | undefined {
  const { items, additionalProperties, properties = {} } = props
  const below = (one: unknown, its: Schema | undefined) =>
    isObject(one) ? schemaRules(one, its ?? {}, cel, known) : undefined // parts of a schema are schemas
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

/** Maximum cost of the rules for one object. */
const mostSpent = 10_000_000

interface Visited {
  value: unknown
  /** Previous value; undefined: there is no corresponding value. */
  old: unknown
  path: string
  /**
   * Object of an update with its previous state, if any: rules that an unchanged value violates are
   * only warnings.
   */
  correlated?: Correlated | undefined
}

export interface RuleFindings {
  errors: FieldError[]
  /** Errors that are tolerated because the value is unchanged and was accepted before. */
  warnings: FieldError[]
}

/** The cost of the rules of one object. */
export function ruleAllowance(): Allowance {
  return { left: mostSpent }
}

/**
 * Findings of the rules for a value. `old` undefined: the value is new. Several values may share an
 * allowance. Source: Kubernetes documentation, "Validation rules", "Transition rules", "Validation
 * ratcheting".
 */
export function ruleFindings(
  rules: SchemaRules,
  visited: Visited,
  allowance?: Allowance,
): RuleFindings {
  return atOnce(ruleSteps(rules, visited, allowance))
}

/** The findings in steps of one rule each. */
export function* ruleSteps(
  rules: SchemaRules,
  visited: Visited,
  allowance = ruleAllowance(),
): Steps<RuleFindings> {
  const evaluation = new Evaluation(allowance)
  const errors: FieldError[] = []
  for (const one of ruledPlaces(rules, { ...visited, nearest: undefined })) {
    for (const error of yield* evaluation.errors(one)) errors.push(error)
    if (evaluation.isOver) break
  }
  return { errors: errors.map(atRoot), warnings: evaluation.warnings.map(atRoot) }
}

function atRoot(error: FieldError): FieldError {
  return error.field === '' ? { ...error, field: '<nil>' } : error
}

interface Place extends Visited {
  correlated?: Correlated | undefined
  /** Nearest enclosing value with a counterpart in the old object. */
  nearest: Correlated | undefined
}

/** Value with its rules, of which there is at least one. */
interface RuledPlace {
  rules: SchemaRules
  place: Place
}

/**
 * Places with rules in a value, outer ones first. A list instead of a generator, each step of which would take time by
 * the depth of the place.
 */
function ruledPlaces(rules: SchemaRules, place: Place, found: RuledPlace[] = []): RuledPlace[] {
  const { value } = place
  if (value === null || value === undefined) return found
  if (rules.rules.length > 0) found.push({ rules, place })
  if (Array.isArray(value)) addItems(rules, value, { place, found })
  else if (isObject(value)) addMembers(rules, value, { place, found })
  return found
}

interface Search {
  place: Place
  found: RuledPlace[]
}

function addItems(
  { items, keys }: SchemaRules,
  value: readonly unknown[],
  { place, found }: Search,
): void {
  if (items === undefined) return
  const { old, path } = place
  const oldItems = keys && Array.isArray(old) ? new KeyedItems(old, keys) : undefined
  for (const [at, item] of value.entries()) {
    const counterpart = below(place, (correlated) => correlated.item(at))
    const before = oldItems?.like(item)
    const one = { ...counterpart, value: item, old: before, path: `${path}[${at}]` }
    ruledPlaces(items, one, found)
  }
}

function addMembers(
  { properties, members }: SchemaRules,
  value: Record<string, unknown>,
  { place, found }: Search,
): void {
  const { old, path } = place
  const before = isObject(old) ? old : {}
  for (const [name, member] of Object.entries(value)) {
    const rules = properties.get(name) ?? members
    if (rules === undefined) continue
    const at = properties.has(name) ? memberPath(path, name) : `${path}[${name}]`
    const isFixed = path === '' && (name === 'kind' || name === 'apiVersion')
    const counterpart = isFixed
      ? { correlated: undefined, nearest: undefined }
      : below(place, (correlated) => correlated.member(name))
    const own = ownMember(before, name)
    ruledPlaces(rules, { ...counterpart, value: member, old: own, path: at }, found)
  }
}

/**
 * Evaluates the rules for one object, until they exceed the cost limit or until further errors
 * would not be reported. The number of warnings has the same limit, but warnings do not end the
 * evaluation, since an error may follow.
 */
class Evaluation {
  readonly warnings: FieldError[] = []
  readonly #told = new ToldLength()
  readonly #warned = new ToldLength()
  readonly #allowance: Allowance
  /** True once no further rule is evaluated. */
  isOver = false

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Errors of the rules at one place. */
  *errors({ rules: { rules, schema, cel }, place }: RuledPlace): Steps<FieldError[]> {
    const { value, old, path } = place
    if (this.#allowance.left <= 0) return [this.#end(path, schema, outOfBudget)]
    const self = cel.valueOf(value, schema)
    const oldSelf = old === undefined || old === null ? undefined : cel.valueOf(old, schema)
    const errors: FieldError[] = []
    for (const one of rules) {
      if (this.isOver) break
      errors.push(...this.#counted(this.#one(one, { ...place, self, oldSelf, schema })))
      yield
    }
    return errors
  }

  #counted(errors: FieldError[]): FieldError[] {
    for (const error of errors) this.#told.spend(error)
    if (this.#told.isSpent) this.isOver = true
    return errors
  }

  /**
   * Errors for one rule. For values that were accepted before, only transition rules report errors.
   */
  #one({ rule, compiled }: ReadRule, of: Evaluated): FieldError[] {
    const { self, oldSelf, path, schema } = of
    if (compiled.usesOldSelf && oldSelf === undefined && rule.optionalOldSelf !== true) return []
    const outcome = attempt(() => compiled.holds(self, oldSelf))
    if (!this.#spend(compiled.spent)) return [this.#end(path, schema, outOfBudget)]
    if (outcome.error !== undefined) return [this.#failure(rule, of, outcome.error)]
    return outcome.value === true ? [] : this.#broken({ rule, compiled }, of)
  }

  /** Error for a violated rule; none if it is only a warning. */
  #broken({ rule, compiled }: ReadRule, of: Evaluated): FieldError[] {
    const isTolerated = !compiled.usesOldSelf && isUnchanged(of)
    if (isTolerated && this.#warned.isSpent) return []
    const { message, end } = this.#message({ rule, compiled }, of)
    const field = ruleField(of.path, rule.fieldPath ?? '', of.schema)
    const error = end ?? brokenRule(rule, field, { value: of.value, message })
    if (!isTolerated) return [error]
    this.#warned.spend(error)
    this.warnings.push(error)
    return []
  }

  /** Message from the message expression, or the message of the rule. */
  #message({ rule, compiled }: ReadRule, of: Evaluated): { message: string; end?: FieldError } {
    const { self, oldSelf, path, schema } = of
    const message = rule.message ? rule.message.trim() : `failed rule: ${rule.rule.trim()}`
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
    const of = (rule.message || rule.rule).trim()
    if (why.startsWith(exceeded)) {
      const text = `'${why}': no further validation rules will be run due to call cost exceeds limit for rule: ${of}`
      return this.#end(path, schema, text)
    }
    const text = why.startsWith('no such overload')
      ? `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${of}`
      : `${why} evaluating rule: ${of}`
    return invalidField(path, schema.type ?? '', text)
  }

  /** Charges a cost; returns whether the total is still within the limit. */
  #spend(cost: number): boolean {
    if (cost > this.#allowance.left) {
      // Values that share the allowance are not evaluated in vain.
      this.#allowance.left = 0
      return false
    }
    this.#allowance.left -= cost
    return true
  }

  /** Final error of an evaluation that exceeded the limit. */
  #end(path: string, { type }: Schema, why: string): FieldError {
    this.isOver = true
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
    return { error: messageOf(error) }
  }
}

function isUnchanged({ correlated, nearest }: Place): boolean {
  return (correlated ?? nearest)?.isUnchanged === true
}

/** Counterparts, in the old object, of the values below a place. */
function below(
  { correlated, nearest }: Place,
  step: (correlated: Correlated) => Correlated | undefined,
): Pick<Place, 'correlated' | 'nearest'> {
  if (correlated === undefined) return { correlated, nearest }
  return { correlated: step(correlated), nearest: correlated }
}

type ReadRule = SchemaRules['rules'][number]

interface Evaluated extends Place {
  self: unknown
  oldSelf: unknown
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
