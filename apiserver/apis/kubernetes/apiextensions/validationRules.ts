import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import {
  cardinalityBelow,
  costOfAll,
  RuleBudget,
  type Cardinality,
} from '../../../cel/cost/budget.ts'
import {
  MessageExpressionError,
  type CelLibrary,
  type RuleChecker,
  type RuleCost,
} from '../../../cel/library.ts'
import type { JsonSchemaProps, ValidationRule } from '../../../meta/jsonSchemaProps.ts'
import { messageOf } from '../../../meta/messageOf.ts'
import type { DefaultLimits } from './defaultRules.ts'
import { mentionsRules } from '../../../customResources/schemaRules.ts'
import { rulePath } from './ruleMessages.ts'
import { propertyPath } from './structuralRules.ts'

interface Place {
  path: string
  /** Schema at this place. */
  schema: JsonSchemaProps
  /** Ancestor of the schema whose values have no counterpart in the old object. */
  uncorrelated?: string
  cardinality: Cardinality
}

export interface RuleReading {
  cel: CelLibrary
  /** Shared by the schemas of all versions. */
  limits: DefaultLimits
  /** Existing rules of the definition, which were accepted before. */
  known?: ReadonlySet<string> | undefined
  /** Names of versions with an unchanged schema. */
  unchanged?: ReadonlySet<string>
}

interface SchemaPlace {
  path: string
  /** True if the schema did not change: the limit of a single expression is not checked. */
  isUnchanged: boolean
  /** Invalid fields of the schema: rules around them are not compiled. */
  faults: readonly string[]
}

/**
 * Errors for rules that cannot be parsed or that use unknown fields; `cel` must be loaded if there
 * are rules.
 * Source: apiextensions, validation of the OpenAPI schema.
 */
export function validationRuleErrors(
  schema: JsonSchemaProps,
  { cel, known = new Set() }: RuleReading,
  { path, isUnchanged, faults }: SchemaPlace,
): FieldError[] {
  if (!mentionsRules(schema)) return []
  const budget = new RuleBudget()
  const reader = { cel, known, types: cel.checkerOf(schema), budget, isUnchanged, faults }
  const found = rulesBelow(reader, { schema, path, cardinality: 1n })
  return [...found, ...budget.errors(path)]
}

/** Expressions and messages of all rules in the schemas. */
export function expressionsOf(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const one of value) expressionsOf(one, found)
  if (!isObject(value)) return found
  for (const [name, member] of Object.entries(value)) {
    const isText = typeof member === 'string' && (name === 'rule' || name === 'messageExpression')
    if (isText) found.add(member)
    else expressionsOf(member, found)
  }
  return found
}

interface Reader {
  cel: CelLibrary
  types: RuleChecker
  known: ReadonlySet<string>
  budget: RuleBudget
  isUnchanged: boolean
  faults: readonly string[]
}

/**
 * Errors for rules in nested schemas, which come first. Expressions of invalid schemas are not
 * compiled.
 */
function rulesBelow(reader: Reader, place: Place): FieldError[] {
  const below = placesBelow(place).flatMap((one) => rulesBelow(reader, one))
  const rules = place.schema['x-kubernetes-validations'] ?? []
  const isFaulty = rules.length > 0 && reader.faults.some((field) => isWithin(field, place.path))
  return isFaulty ? below : [...below, ...ownErrors(rules, reader, place)]
}

function isWithin(field: string, path: string): boolean {
  return field.startsWith(path) && ['', '.', '['].includes(field.charAt(path.length))
}

/**
 * Errors for the schema's own rules. Rules cannot access values that the schema does not describe.
 */
function ownErrors(rules: readonly ValidationRule[], reader: Reader, place: Place): FieldError[] {
  const isSeen = reader.types.typeAt(place.schema) !== undefined
  if (isSeen || rules.every((rule) => isKnown(rule, reader.known)))
    return rules.flatMap((rule, at) =>
      expressionErrors(rule, reader, { ...place, path: rulePath(place.path, at) }),
    )
  const why =
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'
  const field = `${place.path}.x-kubernetes-validations`
  return [{ reason: 'InternalError', field, message: `Internal error: ${why}` }]
}

function placesBelow({ path, schema, uncorrelated, ...place }: Place): Place[] {
  const { items, properties = {}, additionalProperties } = schema
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const inherited = above(uncorrelated)
  const cardinality = cardinalityBelow(place.cardinality, schema)
  const ofMembers = { ...inherited, cardinality }
  const ofItems = { ...above(uncorrelated ?? (isMap ? undefined : path)), cardinality }
  return [
    ...(isObject(additionalProperties)
      ? [{ schema: additionalProperties, path: `${path}.additionalProperties`, ...ofMembers }]
      : []),
    ...Object.entries(properties).map(([name, one]) => ({
      schema: one,
      path: propertyPath(path, name),
      ...ofMembers,
    })),
    ...(isObject(items) ? [{ schema: items, path: `${path}.items`, ...ofItems }] : []),
  ]
}

function above(uncorrelated: string | undefined): { uncorrelated?: string } {
  return uncorrelated === undefined ? {} : { uncorrelated }
}

function expressionErrors(rule: ValidationRule, reader: Reader, place: Place): FieldError[] {
  const { path, schema } = place
  try {
    const cost = checkedCost(rule, reader, schema)
    const { usesOldSelf } = reader.cel.compile(rule)
    const expensive = cost === undefined ? [] : costErrors(cost, reader, place)
    return [...expensive, ...oldSelfErrors(rule, usesOldSelf, place)]
  } catch (error) {
    const isMessage = error instanceof MessageExpressionError
    const why = messageOf(error)
    const field = `${path}.${isMessage ? 'messageExpression' : 'rule'}`
    return [
      invalidField(field, asTold(rule), why),
      // An expression that cannot be parsed uses no known variables.
      ...(isMessage ? [] : oldSelfErrors(rule, false, place)),
    ]
  }
}

/** Cost of a rule; undefined: rules cannot access such values, or the rule existed before. */
function checkedCost(
  rule: ValidationRule,
  { types, known }: Reader,
  schema: JsonSchemaProps,
): RuleCost | undefined {
  try {
    return types.check(rule, schema)
  } catch (error) {
    if (isKnown(rule, known)) return undefined
    throw error
  }
}

/** Errors for the cost. A message is evaluated once, a rule for each value. */
function costErrors(
  cost: RuleCost,
  { types, budget, isUnchanged }: Reader,
  { path, schema, cardinality }: Place,
): FieldError[] {
  const { minSize = 0 } = types.typeAt(schema) ?? {}
  const all = costOfAll(cost.rule, cardinality, minSize)
  const errors = [
    ...budget.spend(`${path}.rule`, 'estimated rule cost', all),
    ...(cost.message === undefined
      ? []
      : budget.spend(
          `${path}.messageExpression`,
          'estimated messageExpression cost',
          cost.message,
        )),
  ]
  return isUnchanged ? [] : errors
}

function oldSelfErrors(
  rule: ValidationRule,
  usesOldSelf: boolean,
  { path, uncorrelated }: Place,
): FieldError[] {
  if (usesOldSelf && uncorrelated !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
    return [invalidField(`${path}.rule`, rule.rule, why)]
  }
  if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
    const why = 'may not be set if oldSelf is not used in rule'
    return [invalidField(`${path}.optionalOldSelf`, rule.optionalOldSelf, why)]
  }
  return []
}

function isKnown({ rule, messageExpression }: ValidationRule, known: ReadonlySet<string>): boolean {
  return known.has(rule) && (messageExpression === undefined || known.has(messageExpression))
}

/** Rule as error messages show it. */
function asTold(rule: ValidationRule): Record<string, unknown> {
  const { message = '', messageExpression = '', reason = null } = rule
  const { fieldPath = '', optionalOldSelf = null } = rule
  return {
    Rule: rule.rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf,
  }
}
