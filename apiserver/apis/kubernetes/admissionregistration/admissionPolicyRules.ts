import {
  duplicateField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import { labelKeyErrors } from '../../../meta/names/nameValidation.ts'
import { oneOf } from '../../fieldChecks.ts'
import type { AuditAnnotation, Validation } from '../shapes/admissionregistrationV1.ts'
import type { PolicySpec } from './policyShapes.ts'
import { subjectErrors, typed, type Known } from './policySubject.ts'
import { failurePolicies } from './webhookRules.ts'

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const mostAnnotations = 20
const longestValueExpression = 5 * 1024
/**
 * Validates the spec of a policy called `name`; the expression library must be loaded.
 * Source: Kubernetes API reference, ValidatingAdmissionPolicy v1.
 */
export function policyErrors(
  spec: PolicySpec,
  name: string,
  cel: AdmissionExpressions,
): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec
  const { known: all, errors: ofSubject } = subjectErrors(spec, cel)
  // The `variables` object exists only if the policy has variables.
  const known = (spec.variables ?? []).length === 0 ? without(all, 'variables') : all
  const errors = [...oneOf('spec.failurePolicy', spec.failurePolicy, failurePolicies), ...ofSubject]
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    return [
      ...errors,
      requiredField('spec.validations', detail),
      requiredField('spec.auditAnnotations', detail),
    ]
  }
  return [
    ...errors,
    ...validations.flatMap((one, at) => validationErrors(`spec.validations[${at}]`, one, known)),
    ...annotationsErrors(auditAnnotations, name, known),
  ]
}

function validationErrors(path: string, validation: Validation, known: Known): FieldError[] {
  const { expression = '', messageExpression = '', reason } = validation
  const errors: FieldError[] =
    expression.trim() === ''
      ? [requiredField(`${path}.expression`, 'expression is not specified')]
      : typed(`${path}.expression`, expression, ['bool'], known)
  const at = `${path}.messageExpression`
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(invalidField(at, messageExpression, 'must be non-empty if specified'))
  } else if (messageExpression !== '') {
    errors.push(...typed(at, messageExpression, ['string'], without(known, 'authorizer')))
  }
  errors.push(...messageErrors(`${path}.message`, validation.message ?? ''))
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupportedField(`${path}.reason`, reason, reasons))
  }
  return errors
}

function messageErrors(path: string, message: string): FieldError[] {
  if (message !== '' && message.trim() === '') {
    return [invalidField(path, message, 'must be non-empty if specified')]
  }
  if (!/[\r\n]/.test(message.trim())) return []
  return [invalidField(path, message, 'must not contain line breaks')]
}

function without(known: Known, variable: string): Known {
  return { ...known, variables: known.variables.filter((name) => name !== variable) }
}

function annotationsErrors(
  annotations: readonly AuditAnnotation[],
  name: string,
  known: Known,
): FieldError[] {
  const path = 'spec.auditAnnotations'
  const seen = new Set<string>()
  const errors: FieldError[] = []
  if (annotations.length > mostAnnotations) {
    const detail = `must not have more than ${mostAnnotations} auditAnnotations`
    const shown = annotations.map(({ key: Key = '', valueExpression: ValueExpression = '' }) => {
      return { Key, ValueExpression }
    })
    errors.push(invalidField(path, shown, detail))
  }
  for (const [at, { key = '', valueExpression = '' }] of annotations.entries()) {
    const field = `${path}[${at}]`
    const full = `${name}/${key}`
    errors.push(
      ...labelKeyErrors(full).map((text) => invalidField(`${field}.key`, full, text)),
      ...valueErrors(`${field}.valueExpression`, valueExpression, known),
    )
    if (seen.has(key)) errors.push(duplicateField(`${field}.key`, key))
    seen.add(key)
  }
  return errors
}

function valueErrors(path: string, expression: string, known: Known): FieldError[] {
  const length = Buffer.byteLength(expression.trim())
  if (length === 0) return [requiredField(path, 'valueExpression is not specified')]
  if (length > longestValueExpression) {
    return [requiredField(path, `must not exceed ${longestValueExpression} bytes in length`)]
  }
  return typed(path, expression, ['string', 'null_type'], known)
}
