import type { ApiObject, ManagedFieldsEntry } from '../../../meta/types.ts'
import { sameValue } from '../typed/typedValue.ts'

/**
 * `next` with the times of the live managedFields, if only times differ from `live`, so that the
 * write has no changes. Call it with the object about to be stored, with the live resourceVersion.
 * Source: apiserver, "IgnoreManagedFieldsTimestampsTransformer"; reference 3.11.
 */
export function keepTimes(live: ApiObject, next: ApiObject): ApiObject {
  const [stored, entries] = [live.metadata.managedFields ?? [], next.metadata.managedFields ?? []]
  const isNothingNew =
    entries.length === stored.length && sameValue(entries.map(withoutTime), stored.map(withoutTime))
  if (!isNothingNew || sameValue(entries, stored)) return next
  const kept = { ...next, metadata: { ...next.metadata, managedFields: stored } }
  return sameValue(kept, live) ? kept : next
}

function withoutTime({ time: _, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  return entry
}
