import type { ApiObject, ObjectMeta } from '../../../../meta/types.ts'

const ownMetadata = ['name', 'namespace', 'uid', 'resourceVersion', 'managedFields'] as const

/**
 * Resets `next` to `old` except for name, version and managed fields: the first step of a subresource that writes one
 * part of an object. Changes `next`, never `old`.
 */
export function keepAllButIdentity(next: ApiObject, old: ApiObject): void {
  const { metadata } = next
  const kept: ObjectMeta = structuredClone(old.metadata)
  for (const field of ownMetadata) {
    const value = metadata[field]
    if (value === undefined) Reflect.deleteProperty(kept, field)
    else Object.assign(kept, { [field]: value })
  }
  for (const field of Object.keys(next)) Reflect.deleteProperty(next, field)
  Object.assign(next, structuredClone(old), { metadata: kept })
}
