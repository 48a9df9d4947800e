import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { parseFieldSelector } from '../../../meta/selectors/fieldSelector.ts'
import { parseLabelSelector } from '../../../meta/selectors/labelSelector.ts'
import { expressionErrors, operatorErrors } from '../selectorRules.ts'
import type { LabelSelectorAttributes } from '../shapes/authorizationV1.ts'
import type { LabelSelectorRequirement } from '../shapes/metaV1.ts'

export type SelectorField = 'fieldSelector' | 'labelSelector'

/**
 * Errors for a selector. Operators unknown here may be added later, so they are not errors: such a
 * selector is not validated.
 * Source: Kubernetes API reference, FieldSelectorAttributes; observed answers.
 */
export function reviewSelectorErrors(
  field: SelectorField,
  { rawSelector = '', requirements = [] }: LabelSelectorAttributes,
): FieldError[] {
  const path = `spec.resourceAttributes.${field}`
  const errors: FieldError[] = []
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements'
    errors.push(invalidField(`${path}.rawSelector`, rawSelector, detail))
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`
    errors.push(requiredField(`${path}.requirements`, detail))
  }
  const requirementErrors = field === 'fieldSelector' ? fieldErrors : labelErrors
  return [
    ...errors,
    ...requirements.flatMap((one, index) => {
      const at = `${path}.requirements[${index}]`
      return requirementErrors(at, one).filter((error) => error.field !== `${at}.operator`)
    }),
  ]
}

function fieldErrors(path: string, requirement: LabelSelectorRequirement): FieldError[] {
  const { key = '', operator = '', values } = requirement
  return [
    ...(key === '' ? [requiredField(`${path}.key`, 'must be specified')] : []),
    ...operatorErrors(path, { key, operator, ...(values && { values }) }),
  ]
}

function labelErrors(path: string, requirement: LabelSelectorRequirement): FieldError[] {
  const { key = '', operator = '', values } = requirement
  return expressionErrors(path, { key, operator, ...(values && { values }) })
}

/** Problem with a selector that was completely or partly ignored; empty: none. */
export function selectorProblem(
  field: SelectorField,
  { rawSelector = '', requirements = [] }: LabelSelectorAttributes,
): string {
  const read = field === 'fieldSelector' ? readsField : readsLabel
  const unread = requirements.filter((one) => !read(one))
  if (unread.length === 0 && (rawSelector === '' || isReadable(field, rawSelector))) return ''
  const part = unread.length < requirements.length ? 'partially ' : ''
  return `spec.resourceAttributes.${field} ${part}ignored due to parse error`
}

function isReadable(field: SelectorField, text: string): boolean {
  try {
    if (field === 'fieldSelector') parseFieldSelector(text)
    else parseLabelSelector(text)
    return true
  } catch {
    return false
  }
}

/** Reports whether a field selector can be evaluated: only `=` and `!=` are supported. */
function readsField({ operator = '', values = [] }: LabelSelectorRequirement): boolean {
  return ['In', 'NotIn'].includes(operator) && values.length === 1
}

function readsLabel({ operator = '' }: LabelSelectorRequirement): boolean {
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)
}
