import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/isObject.ts'
import {
  MessageExpressionError,
  type CelLibrary,
  type RuleChecker,
} from '../../customResources/celLibrary.ts'
import type { JsonSchemaProps, ValidationRule } from '../../customResources/definition.ts'
import { mentionsRules } from '../../customResources/schemaRules.ts'
import { propertyPath } from './structuralRules.ts'

const reasons = [
  ...['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
]

interface Place {
  path: string
  /** The part of the schema that is there. */
  schema: JsonSchemaProps
  /** The part of the schema above whose values have no counterpart in the old object. */
  uncorrelated?: string
}

export interface RuleReading {
  cel: CelLibrary
  /** The rules that the definition had before, which were right for another server. */
  known?: ReadonlySet<string> | undefined
}

/** Rules that cannot be read, or ask for what is not there; `cel` is loaded where there are any.
 *  Source: apiextensions, validation of the OpenAPI schema. */
export function ruleRules(
  schema: JsonSchemaProps,
  { cel, known = new Set() }: RuleReading,
  path: string,
): FieldError[] {
  if (!mentionsRules(schema)) return []
  const reader = { cel, known, types: cel.checkerOf(schema) }
  const found = rulesBelow(reader, { schema, path })
  // What is read only then is told last.
  return [...found.filter(isOfText), ...found.filter((error) => !isOfText(error))]
}

function isOfText({ field }: FieldError): boolean {
  return !/\.(?:rule|messageExpression|optionalOldSelf)$/.test(field)
}

/** Every rule and message of the schemas, as text. */
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
}

function rulesBelow(reader: Reader, place: Place): FieldError[] {
  const { path, schema, uncorrelated } = place
  const { items, properties = {}, additionalProperties } = schema
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const itemsPlace = { path: `${path}.items`, ...above(uncorrelated ?? (isMap ? undefined : path)) }
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
  const inherited = above(uncorrelated ?? (isAtomic ? path : undefined))
  return [
    ...(schema['x-kubernetes-validations'] ?? []).flatMap((rule, at) =>
      ruleErrors(rule, reader, { ...place, path: `${path}.x-kubernetes-validations[${at}]` }),
    ),
    ...(isObject(items) ? rulesBelow(reader, { schema: items, ...itemsPlace }) : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      rulesBelow(reader, { schema: one, path: propertyPath(path, name), ...inherited }),
    ),
    ...(isObject(additionalProperties)
      ? rulesBelow(reader, {
          schema: additionalProperties,
          path: `${path}.additionalProperties`,
          ...inherited,
        })
      : []),
  ]
}

function above(uncorrelated: string | undefined): { uncorrelated?: string } {
  return uncorrelated === undefined ? {} : { uncorrelated }
}

function ruleErrors(rule: ValidationRule, reader: Reader, place: Place): FieldError[] {
  const errors = textErrors(rule, place.path)
  return errors.length > 0 ? errors : expressionErrors(rule, reader, place)
}

function textErrors(validation: ValidationRule, path: string): FieldError[] {
  const { rule, message } = validation
  const errors: FieldError[] = []
  if (rule.trim() === '') errors.push(requiredField(`${path}.rule`, 'rule is not specified'))
  else if (message?.trim() === '')
    errors.push(invalidField(`${path}.message`, message, 'must be non-empty if specified'))
  else if (/[\n\r]/.test(message?.trim() ?? ''))
    errors.push(invalidField(`${path}.message`, message, 'must not contain line breaks'))
  else if (/[\n\r]/.test(rule.trim()) && message === undefined)
    errors.push(
      requiredField(`${path}.message`, 'message must be specified if rule contains line breaks'),
    )
  return [...errors, ...otherErrors(validation, path)]
}

function otherErrors(
  { messageExpression, reason, fieldPath }: ValidationRule,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  if (messageExpression?.trim() === '')
    errors.push(
      requiredField(
        `${path}.messageExpression`,
        'messageExpression must be non-empty if specified',
      ),
    )
  if (reason !== undefined && !reasons.includes(reason))
    errors.push(notSupportedField(`${path}.reason`, reason, reasons))
  if (fieldPath !== undefined && !/^(\.[^.[\]\n\r]+|\['[^'\n\r]+'\])+$/.test(fieldPath))
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, 'must be a valid path'))
  return errors
}

function expressionErrors(
  rule: ValidationRule,
  { cel, types, known }: Reader,
  { path, schema, uncorrelated }: Place,
): FieldError[] {
  try {
    const { usesOldSelf } = cel.compile(rule)
    if (!isKnown(rule, known)) types.check(rule, schema)
    if (usesOldSelf && uncorrelated !== undefined) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`
      return [invalidField(`${path}.rule`, rule.rule, why)]
    }
    if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const why = 'may not be set if oldSelf is not used in rule'
      return [invalidField(`${path}.optionalOldSelf`, rule.optionalOldSelf, why)]
    }
    return []
  } catch (error) {
    const isMessage = error instanceof MessageExpressionError
    const why = error instanceof Error ? error.message : String(error)
    return [invalidField(`${path}.${isMessage ? 'messageExpression' : 'rule'}`, asTold(rule), why)]
  }
}

function isKnown({ rule, messageExpression }: ValidationRule, known: ReadonlySet<string>): boolean {
  return known.has(rule) && (messageExpression === undefined || known.has(messageExpression))
}

/** A rule as the API shows it in what it says of it. */
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
