import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { pathSegment } from '../../fieldChecks.ts'

export interface TypedReference {
  apiGroup?: string | null
  kind?: string
  name?: string
}

/**
 * Errors for a typed reference. Source: Kubernetes API reference, TypedLocalObjectReference;
 * observed answers.
 */
export function typedReferenceErrors(
  path: string,
  { apiGroup, kind, name }: TypedReference,
): FieldError[] {
  const groupErrors = typeof apiGroup === 'string' ? subdomainErrors(apiGroup) : []
  return [
    ...groupErrors.map((text) => invalidField(`${path}.apiGroup`, apiGroup, text)),
    ...pathSegment(`${path}.kind`, kind),
    ...pathSegment(`${path}.name`, name),
  ]
}
