import { invalidField } from '../../meta/fieldErrors.ts'

/**
 * Error reported beside errors that prevent the evaluation of rules. Source: apiextensions, the
 * strategy of custom resources.
 */
export const uncheckedRules = invalidField(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)
