import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import { labelKeyErrors, labelValueErrors } from '../../meta/names/nameValidation.ts'
import { labelsErrors } from '../../registry/write/metadataValidation.ts'
import type { LabelSelector } from './shapes/metaV1.ts'

/** Errors for a selector. Source: apimachinery, ValidateLabelSelector. */
export function selectorErrors(path: string, selector: LabelSelector): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector
  return [
    ...labelsErrors(`${path}.matchLabels`, matchLabels),
    ...matchExpressions.flatMap((one, index) =>
      expressionErrors(`${path}.matchExpressions[${index}]`, one),
    ),
  ]
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

export function expressionErrors(path: string, expression: Expression): FieldError[] {
  const { key = '', values = [] }: Partial<Expression> = expression
  return [
    ...operatorErrors(path, expression),
    ...labelKeyErrors(key).map((text) => invalidField(`${path}.key`, key, text)),
    ...values.flatMap((value, index) =>
      labelValueErrors(value).map((text) => invalidField(`${path}.values[${index}]`, value, text)),
    ),
  ]
}

export function operatorErrors(
  path: string,
  { operator = '', values = [] }: Partial<Expression>,
): FieldError[] {
  const at = `${path}.values`
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [requiredField(at, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    default:
      return [invalidField(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}
