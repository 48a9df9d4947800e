import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { JsonSchemaProps, ValidationRule } from '../../../meta/jsonSchemaProps.ts'
import { fieldPathSteps } from '../../../customResources/ruleField.ts'

const reasons = [
  ...['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
]

/**
 * Errors in the fields of validation rules other than the expression. Source: apiextensions,
 * validation of the OpenAPI schema.
 */
export function ruleMessageErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const rules = schema['x-kubernetes-validations'] ?? []
  return rules.flatMap((rule, at) => textErrors(rule, rulePath(path, at), schema))
}

/** Path of a rule of the schema at `path`. */
export function rulePath(path: string, at: number): string {
  return `${path}.x-kubernetes-validations[${at}]`
}

function textErrors(
  validation: ValidationRule,
  path: string,
  schema: JsonSchemaProps,
): FieldError[] {
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
  return [...errors, ...otherErrors(validation, path, schema)]
}

function otherErrors(
  { messageExpression, reason, fieldPath }: ValidationRule,
  path: string,
  schema: JsonSchemaProps,
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
  if (fieldPath !== undefined && !isFieldPath(fieldPath, schema))
    errors.push(invalidField(`${path}.fieldPath`, fieldPath, 'must be a valid path'))
  return errors
}

/** Reports whether the path of a rule leads to a field of the schema. */
function isFieldPath(fieldPath: string, schema: JsonSchemaProps): boolean {
  if (!/^(\.[^.[\]\n\r]+|\['[^'\n\r]+'\])+$/.test(fieldPath)) return false
  let here: JsonSchemaProps | undefined = schema
  for (const name of fieldPathSteps(fieldPath)) {
    here = here === undefined ? undefined : memberOf(here, name)
  }
  return here !== undefined
}

function memberOf(
  { properties = {}, additionalProperties }: JsonSchemaProps,
  name: string,
): JsonSchemaProps | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}
