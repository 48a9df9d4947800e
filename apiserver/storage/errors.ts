/**
 * Code of an error, by operation:
 * - write: KeyExists (create), KeyNotFound, RevisionConflict (update, delete), TooLarge (the value),
 *   Overloaded (the write queue is full), NoSpace (no room for values; deletions still work)
 * - read at a revision: Compacted (below the kept history), FutureRevision (above the newest)
 * - opening: Locked (another process has it), NewerFormat, OlderFormat, OtherIdentity (created with
 *   other settings), Corrupt
 * - opening and read of the past: Sealed (a value is encrypted with a missing key)
 * - while running: Restored (the state is older than, or different from, the one served before)
 * - any time: Unavailable (a write failed on disk, or the storage is closed)
 */
export type StorageErrorCode =
  | 'KeyExists'
  | 'KeyNotFound'
  | 'RevisionConflict'
  | 'TooLarge'
  | 'Overloaded'
  | 'NoSpace'
  | 'Compacted'
  | 'FutureRevision'
  | 'Locked'
  | 'NewerFormat'
  | 'OlderFormat'
  | 'OtherIdentity'
  | 'Corrupt'
  | 'Sealed'
  | 'Restored'
  | 'Unavailable'

export interface StorageErrorOptions {
  key?: string
  /**
   * KeyExists and RevisionConflict: the conflicting revision; Compacted: the oldest revision that is still readable;
   * FutureRevision: the newest.
   */
  revision?: number
  cause?: unknown
}

export class StorageError extends Error {
  readonly code: StorageErrorCode
  readonly key: string | undefined
  readonly revision: number | undefined

  /** Compares by name: a loader may load this module twice, once for dynamic imports. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'StorageError'
  }

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StorageError'
    this.code = code
    this.key = options.key
    this.revision = options.revision
  }
}
