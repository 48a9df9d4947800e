import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { pathSegment } from '../../fieldChecks.ts'
import type { TypedLocalObjectReference } from '../shapes/coreV1.ts'

/**
 * Errors for a typed reference. Source: Kubernetes API reference, TypedLocalObjectReference;
 * observed answers.
 */
export function typedReferenceErrors(
  path: string,
  { apiGroup, kind, name }: TypedLocalObjectReference,
): FieldError[] {
  const groupErrors = typeof apiGroup === 'string' ? subdomainErrors(apiGroup) : []
  return [
    ...groupErrors.map((text) => invalidField(`${path}.apiGroup`, apiGroup, text)),
    ...pathSegment(`${path}.kind`, kind),
    ...pathSegment(`${path}.name`, name),
  ]
}
