import { StorageError } from '../storage/errors.ts'
import type { Storage } from '../storage/storage.ts'
import { toStatusError } from './storageErrors.ts'

/** Resolves when every write on its way is durable; undefined: there is none.
 *  @throws StorageError Unavailable when one failed. */
export function allDurable(storage: Storage): Promise<void> | undefined {
  const pending = storage.pendingRevision()
  return pending === 0 ? undefined : storage.settled(pending)
}

/** Resolves when the write of a key that is on its way has ended, well or not; undefined: there is none. Later writes of
 *  the key are not waited for. */
export function writeEnded(storage: Storage, key: string): Promise<void> | undefined {
  const pending = storage.pendingRevision(key)
  // Who reads is shown what is there, whatever became of the write.
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

/** The error to throw in place of `error`, once it may be. What a write is refused for may itself be a write that is not
 *  durable yet: of the same object, of its namespace, of another that has the same name or address. The next read does
 *  not show it, and a crash undoes it. So a refusal is told when all that was on its way is durable; when that failed,
 *  the storage takes no writes, and that is what is told instead.
 *  `key`: of the object, where nothing else can be the reason. */
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
