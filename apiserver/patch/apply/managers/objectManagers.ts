import { shallowCopy } from '../../../meta/json/plainMembers.ts'
import type { ApiObject, ManagedFieldsEntry, ObjectMeta } from '../../../meta/types.ts'
import type { ApplyContext } from '../applyContext.ts'
import {
  decodeEntries,
  encodeEntries,
  isReset,
  storedEntries,
  type Managers,
} from './managedEntries.ts'
import { sameValue } from '../typed/typedValue.ts'

const none: Managers = new Map()

/**
 * Initial managers of an update: the managers in the request if allowed and valid, otherwise the
 * live ones. A request that resets the list starts with none, except for subresources.
 * Source: apimachinery, managedfields, "decodeLiveOrNew".
 */
export function sentManagers(
  live: ApiObject | undefined,
  next: ApiObject,
  { subresource = '' }: Pick<ApplyContext, 'subresource'>,
): Managers {
  const stored = live?.metadata.managedFields ?? []
  const sent: unknown = next.metadata.managedFields
  if (subresource !== '' || !Array.isArray(sent)) return valid(stored, storedEntries)
  if (isReset(sent)) return none
  if (sameValue(sent, stored)) return valid(stored, storedEntries)
  // Sound: only the list is assumed, and the decoder checks each entry.
  const managers = valid(sent as ManagedFieldsEntry[], decodeEntries)
  return managers.size === 0 ? valid(stored, storedEntries) : managers
}

function valid(
  entries: readonly ManagedFieldsEntry[],
  decode: (entries: readonly ManagedFieldsEntry[]) => Managers,
): Managers {
  if (entries.length === 0) return none
  try {
    return decode(entries)
  } catch {
    // Same as the real server: an invalid list counts as empty.
    return none
  }
}

/** A copy of `object` with these managers as its managedFields; without the field if there are none. */
export function withManagers(object: ApiObject, managers: Managers): ApiObject {
  const next = shallowCopy(object)
  next.metadata = bareMetadata(object.metadata)
  // Last, as on the wire.
  if (managers.size > 0) next.metadata.managedFields = encodeEntries(managers)
  return next
}

function bareMetadata(metadata: ObjectMeta): ObjectMeta {
  if (!('managedFields' in metadata)) return shallowCopy(metadata)
  const { managedFields: _, ...bare } = metadata
  return shallowCopy(bare)
}
