import { StorageError, type StorageErrorCode } from '../storage/errors.ts'
import type { Storage, StoredValue } from '../storage/storage.ts'
import { toStatusError } from './storageErrors.ts'

/**
 * Resolves when every pending write is durable; undefined: none pending.
 * @throws StorageError Unavailable if one failed.
 */
export function allDurable(storage: Storage): Promise<void> | undefined {
  const pending = storage.pendingRevision()
  return pending === 0 ? undefined : storage.settled(pending)
}

/**
 * Resolves when the pending write of a key has ended, successfully or not; undefined: none pending. Does not wait for
 * later writes of the key.
 */
export function writeEnded(storage: Storage, key: string): Promise<void> | undefined {
  const pending = storage.pendingRevision(key)
  // A read shows the committed state, whatever the result of the write.
  return pending === 0 ? undefined : storage.settled(pending).catch(() => undefined)
}

/**
 * Resolves when the write of a value returned by `newest` is durable.
 * @throws StorageError RevisionConflict if it failed; Unavailable if its result is unknown.
 */
export async function shownIsDurable(storage: Storage, stored: StoredValue): Promise<void> {
  await storage.settled(stored.revision)
  if (stored.revision <= storage.revision) return
  const { key } = stored
  throw new StorageError('RevisionConflict', `the write of ${key} that was shown failed`, { key })
}

/**
 * State by which a write was judged. A refusal is reevaluated if that was not the newest state, which may be another
 * server's, or if a pending write included in it may have failed.
 */
export class Judgement {
  readonly #storage: Storage
  #revision = 0
  #takenBack = 0
  #hasReached = false

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Called in the turn in which a write is judged, every time. */
  begin(): void {
    this.#revision = this.#storage.revision
    this.#takenBack = this.#storage.takenBack
  }

  /**
   * Reports whether to reevaluate a refusal; afterwards reads show the newest state. Called after the writes that the
   * refusal may depend on. @throws StatusError 503.
   */
  async isOutdated(refusal: unknown): Promise<boolean> {
    const storage = this.#storage
    if (!storage.isShared || isOwnFailure(refusal)) return false
    if (storage.takenBack !== this.#takenBack) return true
    // Only once: any state later than the request is new enough.
    if (this.#hasReached) return false
    this.#hasReached = true
    try {
      await storage.reachNewest()
    } catch (error) {
      throw toStatusError(error, { group: '', resource: '' }, '')
    }
    return storage.revision !== this.#revision || storage.takenBack !== this.#takenBack
  }
}

/** Reports whether the write itself failed, before any check. */
function isOwnFailure(error: unknown): boolean {
  return error instanceof StorageError && ownFailures.has(error.code)
}

const ownFailures: ReadonlySet<StorageErrorCode> = new Set([
  'NoSpace',
  'Overloaded',
  'TooLarge',
  'Unavailable',
])

/**
 * Delays an error until it is safe to report. The reason of a refusal may be a write that is not durable yet: of the
 * same object, its namespace, or another object with the same name or address. The next read would not show it, and a
 * crash would undo it. So a refusal is reported when all pending writes are durable; if one failed, the storage refuses
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
