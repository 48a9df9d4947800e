import { invalidField, type FieldError } from '../meta/fieldErrors.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ScalePaths } from './definition.ts'
import { nestedInteger, nestedString } from './nestedField.ts'

/**
 * Errors for fields with values that the object's scale cannot represent.
 * Source: the real server's answers; Kubernetes documentation, "Scale subresource".
 */
export function scaleSpecErrors(object: ApiObject, { specReplicasPath }: ScalePaths): FieldError[] {
  return countErrors(object, specReplicasPath)
}

export function scaleStatusErrors(
  object: ApiObject,
  { statusReplicasPath, labelSelectorPath = '' }: ScalePaths,
): FieldError[] {
  const counts = countErrors(object, statusReplicasPath)
  if (labelSelectorPath === '') return counts
  const { error } = nestedString(object, labelSelectorPath)
  return error === undefined ? counts : [...counts, invalidField(labelSelectorPath, '', error)]
}

const largest = 2 ** 31 - 1

function countErrors(object: ApiObject, path: string): FieldError[] {
  const { value = 0, error } = nestedInteger(object, path)
  if (error !== undefined) return [invalidField(path, 0, error)]
  if (value < 0) return [invalidField(path, value, 'should be a non-negative integer')]
  if (value <= largest) return []
  return [invalidField(path, value, `should be less than or equal to ${largest}`)]
}
