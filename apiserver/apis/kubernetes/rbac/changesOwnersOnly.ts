import { jsonText } from '../../../meta/json/exactJson.ts'
import type { ApiObject } from '../../../meta/types.ts'

/**
 * Reports whether an update only changes owners and finalizers, as garbage collection does: that grants no rights.
 * Both objects are canonical.
 */
export function changesOwnersOnly(next: ApiObject, old: ApiObject): boolean {
  return withoutOwners(next) === withoutOwners(old)
}

function withoutOwners({ metadata, ...rest }: ApiObject): string {
  const { ownerReferences, finalizers, managedFields, resourceVersion, ...kept } = metadata
  return jsonText([kept, rest])
}
