import { duplicateField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { valueAt } from '../../columns.ts'
import { errorIf } from '../../fieldChecks.ts'

interface Condition {
  type?: string
  status?: string
}

export function conditionsOf(object: ApiObject): readonly Condition[] {
  // Guaranteed by the schemas of both kinds.
  return (valueAt(object, 'status.conditions') as Condition[] | undefined) ?? []
}

/** Errors for the conditions of a flow schema or a priority level: each type occurs once. */
export function conditionErrors(object: ApiObject): FieldError[] {
  const types = conditionsOf(object).map(({ type = '' }) => type)
  const isRepeated = repeats(types)
  return types.flatMap((type, index) => {
    const path = `status.conditions[${index}].type`
    return [
      ...errorIf(isRepeated[index] === true, () => duplicateField(path, type)),
      ...errorIf(type === '', () => requiredField(path)),
    ]
  })
}
