import { StorageError } from '../storage/errors.ts'
import type { Storage } from '../storage/storage.ts'
import { toStatusError } from './storageErrors.ts'

/**
 * Resolves when every pending write is durable; undefined: there is none.
 * @throws StorageError Unavailable if one failed.
 */
export function allDurable(storage: Storage): Promise<void> | undefined {
  const pending = storage.pendingRevision()
  return pending === 0 ? undefined : storage.settled(pending)
}

/**
 * Resolves when the pending write of a key has ended, successfully or not; undefined: there is none. Later writes of
 * the key are not waited for.
 */
export function writeEnded(storage: Storage, key: string): Promise<void> | undefined {
  const pending = storage.pendingRevision(key)
  // A read shows the committed state, whatever the result of the write.
  return pending === 0 ? undefined : storage.settled(pending).catch(() => undefined)
}

/** Whether a refusal that was judged at `revision` was judged by an older state than the newest, which may be another
 *  server's. Afterwards reads show that. @throws StatusError 503. */
export async function isOutdated(storage: Storage, revision: number): Promise<boolean> {
  if (!storage.isShared) return false
  try {
    await storage.reachNewest()
  } catch (error) {
    throw toStatusError(error, { group: '', resource: '' }, '')
  }
  return storage.revision !== revision
}

/**
 * Delays an error until it is safe to report. The reason of a refusal may be a write that is not durable yet: of the
 * same object, its namespace, or another object with the same name or address. The next read does not show it, and a
 * crash undoes it. So a refusal is reported when all pending writes are durable; if one failed, the storage refuses
 * writes, and that is reported instead. `key`: the object's, if no other object can be the reason.
 */
export async function settledRefusal(
  storage: Storage,
  error: unknown,
  key?: string,
): Promise<unknown> {
  const pending = storage.pendingRevision(key)
  if (pending === 0) return error
  try {
    await storage.settled(pending)
    return error
  } catch (failure) {
    return failure instanceof StorageError ? failure : error
  }
}
