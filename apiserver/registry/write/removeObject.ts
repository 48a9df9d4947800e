import type { ApiObject } from '../../meta/types.ts'
import type { Storage, StoredValue } from '../../storage/storage.ts'
import { encodeObject } from '../objectBytes.ts'

/** A state stored before an object is removed. */
export interface LastState {
  marked: ApiObject | undefined
  /** Called with the revision before the removal. */
  review: ((marked: ApiObject, revision: number) => Promise<void>) | undefined
}

/**
 * Removes a stored object, after storing it as `marked` if given. Unless there is a review, both writes start in the
 * caller's turn, so that nothing comes between them. Returns the revision of the removal.
 * @throws StorageError RevisionConflict, StatusError of the review.
 */
export async function removeObject(
  storage: Storage,
  { key, revision }: StoredValue,
  { marked, review }: LastState,
): Promise<number> {
  if (marked === undefined) return storage.delete(key, revision)
  const marking = storage.update(key, encodeObject(marked), revision)
  if (review !== undefined) {
    const { revision: reviewed } = await marking
    await review(marked, reviewed)
    return storage.delete(key, reviewed)
  }
  // Its failure is reported below in any case.
  marking.catch(() => undefined)
  const newest = storage.newest(key)?.revision ?? revision
  // If the mark was refused, changes of other writers must not be removed.
  if (newest === revision) return storage.delete(key, (await marking).revision)
  const [, removed] = await Promise.all([marking, storage.delete(key, newest)])
  return removed
}
