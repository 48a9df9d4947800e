import {
  duplicateField,
  invalidField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../meta/names/nameValidation.ts'
import type { AdmissionExpressions } from '../../../cel/admissionExpressions.ts'
import type { MatchCondition } from '../shapes/admissionregistrationV1.ts'

/** Checks the conditions at a path. */
export type ConditionCheck = (path: string, conditions: readonly MatchCondition[]) => FieldError[]

const mostConditions = 64

/**
 * Creates a check of match conditions whose expressions may use `variables`; the library must be loaded if there are
 * any conditions.
 */
export function conditionCheck(
  cel: AdmissionExpressions,
  variables: readonly string[],
): ConditionCheck {
  return (path, conditions) => {
    const names = new Set<string>()
    const many =
      conditions.length > mostConditions
        ? [tooManyField(path, conditions.length, mostConditions)]
        : []
    const each = conditions.flatMap((condition, at): FieldError[] => {
      const field = `${path}[${at}]`
      const { name = '' } = condition
      const errors = [
        ...expressionErrors(`${field}.expression`, condition.expression ?? '', cel, variables),
        ...nameErrors(`${field}.name`, name),
      ]
      if (name !== '' && names.has(name)) errors.push(duplicateField(`${field}.name`, name))
      names.add(name)
      return errors
    })
    return [...many, ...each]
  }
}

function expressionErrors(
  path: string,
  expression: string,
  cel: AdmissionExpressions,
  variables: readonly string[],
): FieldError[] {
  if (expression.trim() === '') return [requiredField(path)]
  const problem = cel.problem(expression, ['bool'], variables)
  return problem === undefined ? [] : [invalidField(path, expression, problem)]
}

function nameErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  return labelKeyErrors(name).map((text) => invalidField(path, name, text))
}
