import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import { labelKeyErrors, labelValueErrors } from '../meta/nameValidation.ts'
import type { SpecSelector } from './labelSelection.ts'

/** Source: apimachinery, ValidateLabelSelector. */
export function selectorErrors(path: string, selector: SpecSelector): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector
  return [
    ...labelErrorsOf(`${path}.matchLabels`, matchLabels),
    ...matchExpressions.flatMap((one, index) =>
      expressionErrors(`${path}.matchExpressions[${index}]`, one),
    ),
  ]
}

type Expression = NonNullable<SpecSelector['matchExpressions']>[number]

function expressionErrors(path: string, { key, operator, values = [] }: Expression): FieldError[] {
  const errors = labelKeyErrors(key).map((text) => invalidField(`${path}.key`, key, text))
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return errors
      return [
        requiredField(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"),
        ...errors,
      ]
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return errors
      return [
        forbiddenField(
          `${path}.values`,
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        ),
        ...errors,
      ]
    default:
      return [
        invalidField(`${path}.operator`, operator, 'not a valid selector operator'),
        ...errors,
      ]
  }
}

/** Source: apimachinery, ValidateLabels. */
export function labelErrorsOf(
  path: string,
  labels: Readonly<Record<string, string>>,
): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyErrors(key).map((text) => invalidField(path, key, text)),
    ...labelValueErrors(value).map((text) => invalidField(path, value, text)),
  ])
}
