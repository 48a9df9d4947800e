import type { AdmissionTarget } from '../../registry/admission.ts'
import type { AdmissionOperation } from '../../registry/review.ts'

/** A resource that plugins handle. */
export interface PluginTarget {
  group: string
  plural: string
  operations: readonly AdmissionOperation[]
  /** Subresource; absent: the object itself. */
  subresource?: string
}

/** Reports whether a write has a given kind and operation. */
export function isTarget(
  { resource, operation, subresource }: AdmissionTarget,
  wanted: PluginTarget,
): boolean {
  return (
    resource.plural === wanted.plural &&
    resource.group === wanted.group &&
    subresource === (wanted.subresource ?? '') &&
    wanted.operations.includes(operation)
  )
}

export const podsCreated: PluginTarget = { group: '', plural: 'pods', operations: ['CREATE'] }
