import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
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

/** Source: apimachinery, ValidateAnnotations. */
export function annotationErrorsOf(
  path: string,
  annotations: Readonly<Record<string, string>>,
): FieldError[] {
  const entries = Object.entries(annotations)
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...entries.flatMap(([key]) =>
      labelKeyErrors(key.toLowerCase()).map((text) => invalidField(path, key, text)),
    ),
    ...(bytes > maxAnnotationBytes ? [tooLongField(path, maxAnnotationBytes)] : []),
  ]
}

const maxAnnotationBytes = 256 * 1024
