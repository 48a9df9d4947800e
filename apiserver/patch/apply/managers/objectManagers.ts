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

/** The managers that an update starts from: those the request sent, where it may and they are valid, else the live
 *  ones. A request that resets the list starts from none; one to a subresource cannot.
 *  Source: apimachinery, managedfields, "decodeLiveOrNew". */
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
  // Nothing but the list is known of it: the decoder looks at each entry.
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
    // As the real server: a list that cannot be read counts as none.
    return none
  }
}

/** A copy of `object` with these managers as its managedFields; without the field where there are none. */
export function withManagers(object: ApiObject, managers: Managers): ApiObject {
  const next = shallowCopy(object)
  next.metadata = bareMetadata(object.metadata)
  // Last, where it stands on the wire.
  if (managers.size > 0) next.metadata.managedFields = encodeEntries(managers)
  return next
}

function bareMetadata(metadata: ObjectMeta): ObjectMeta {
  if (!('managedFields' in metadata)) return shallowCopy(metadata)
  const { managedFields: _, ...bare } = metadata
  return shallowCopy(bare)
}
