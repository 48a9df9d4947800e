import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { isObject } from '../../meta/isObject.ts'
import type { CelLibrary } from '../../customResources/celLibrary.ts'
import type { JsonSchemaProps, ValidationRule } from '../../customResources/definition.ts'
import { propertyPath } from './structuralRules.ts'

const reasons = [
  ...['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
]

interface Place {
  path: string
  /** The part of the schema above whose values have no counterpart in the old object. */
  uncorrelated?: string
}

/** Rules that cannot be read, or ask for what is not there; `cel` is loaded where there are any.
 *  Source: apiextensions, validation of the OpenAPI schema. */
export function ruleRules(schema: JsonSchemaProps, cel: CelLibrary, place: Place): FieldError[] {
  const { items, properties = {}, additionalProperties } = schema
  const { path, uncorrelated } = place
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const itemsPlace = { path: `${path}.items`, ...above(uncorrelated ?? (isMap ? undefined : path)) }
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic'
  const inherited = above(uncorrelated ?? (isAtomic ? path : undefined))
  return [
    ...(schema['x-kubernetes-validations'] ?? []).flatMap((rule, at) =>
      ruleErrors(rule, cel, { ...place, path: `${path}.x-kubernetes-validations[${at}]` }),
    ),
    ...(isObject(items) ? ruleRules(items, cel, itemsPlace) : []),
    ...Object.entries(properties).flatMap(([name, one]) =>
      ruleRules(one, cel, { path: propertyPath(path, name), ...inherited }),
    ),
    ...(isObject(additionalProperties)
      ? ruleRules(additionalProperties, cel, { path: `${path}.additionalProperties`, ...inherited })
      : []),
  ]
}

function above(uncorrelated: string | undefined): { uncorrelated?: string } {
  return uncorrelated === undefined ? {} : { uncorrelated }
}

function ruleErrors(rule: ValidationRule, cel: CelLibrary, place: Place): FieldError[] {
  const errors = textErrors(rule, place.path)
  return errors.length > 0 ? errors : expressionErrors(rule, cel, place)
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
  cel: CelLibrary,
  { path, uncorrelated }: Place,
): FieldError[] {
  try {
    const { usesOldSelf } = cel.compile(rule)
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
    const why = `compilation failed: ${error instanceof Error ? error.message : String(error)}`
    return [invalidField(`${path}.rule`, rule, why)]
  }
}
