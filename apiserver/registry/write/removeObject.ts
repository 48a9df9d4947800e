import type { ApiObject } from '../../meta/types.ts'
import type { Storage, StoredValue } from '../../storage/storage.ts'
import { encodeObject } from '../objectBytes.ts'

/**
 * Removes a stored object, after storing it as `marked` if given. Both writes start in the caller's turn, so that
 * nothing comes between them. Returns the revision of the removal.
 * @throws StorageError RevisionConflict.
 */
export async function removeObject(
  storage: Storage,
  { key, revision }: StoredValue,
  marked: ApiObject | undefined,
): Promise<number> {
  if (marked === undefined) return storage.delete(key, revision)
  const marking = storage.update(key, encodeObject(marked), revision)
  // Its failure is reported below in any case.
  marking.catch(() => undefined)
  const newest = storage.newest(key)?.revision ?? revision
  // If the mark was refused, changes of other writers must not be removed.
  if (newest === revision) return storage.delete(key, (await marking).revision)
  const [, removed] = await Promise.all([marking, storage.delete(key, newest)])
  return removed
}
