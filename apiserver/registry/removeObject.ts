import type { ApiObject } from '../meta/types.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { encodeObject } from './objectBytes.ts'

/** Removes a stored object, and stores it as `marked` before, if given. Both writes begin in the caller's turn, so that
 *  nothing comes between them. Gives the revision of the removal.
 *  @throws StorageError RevisionConflict. */
export async function removeObject(
  storage: Storage,
  { key, revision }: StoredValue,
  marked: ApiObject | undefined,
): Promise<number> {
  if (marked === undefined) return storage.delete(key, revision)
  const marking = storage.update(key, encodeObject(marked), revision)
  // Whatever happens in between, its failure is told below.
  marking.catch(() => undefined)
  const newest = storage.newest(key)?.revision ?? revision
  // A mark that was refused is no reason to remove what others wrote.
  if (newest === revision) await marking
  const [, removed] = await Promise.all([marking, storage.delete(key, newest)])
  return removed
}
