import type { ApiObject } from '../../../meta/types.ts'
import { encodeEntries, storedEntries } from './managedEntries.ts'

/**
 * `next`, written through its scale, with the times of the managers in `old`; managers missing in
 * `old` have no time. Source: apimachinery, managedfields, ScaleHandler.ToParent.
 */
export function withTimesOf(old: ApiObject, next: ApiObject): ApiObject {
  const { managedFields } = next.metadata
  if (managedFields === undefined) return next
  const before = storedEntries(old.metadata.managedFields ?? [])
  const managers = storedEntries(managedFields)
  for (const [identifier, entry] of managers) {
    const time = before.get(identifier)?.time
    if (time !== entry.time) managers.set(identifier, { ...entry, time, stored: undefined })
  }
  return { ...next, metadata: { ...next.metadata, managedFields: encodeEntries(managers) } }
}
