import { forbidden } from '../../../meta/statusErrors.ts'
import type { StatusError } from '../../../meta/status.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import { groupResource } from '../../../registry/resource.ts'

/**
 * Refusal of a write. An object whose name is generated later is named by its prefix; an object of a deleted collection
 * has no name.
 */
export function refusal({ resource, name, object }: AdmissionRequest, why: string): StatusError {
  const other = object === undefined ? 'Unknown' : (object.metadata.generateName ?? '')
  const shown = name === '' ? other : name
  return forbidden(groupResource(resource), shown, why)
}
