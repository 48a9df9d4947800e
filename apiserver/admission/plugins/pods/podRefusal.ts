import { forbidden } from '../../../meta/statusErrors.ts'
import type { StatusError } from '../../../meta/status.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import { groupResource } from '../../../registry/resource.ts'

/** Refusal of a write; an object whose name is generated later is named by its prefix. */
export function refusal({ resource, name, object }: AdmissionRequest, why: string): StatusError {
  const shown = name === '' ? (object?.metadata.generateName ?? '') : name
  return forbidden(groupResource(resource), shown, why)
}
