/**
 * Codes by the time they occur. Writes: KeyExists (create), KeyNotFound, RevisionConflict (update, delete), TooLarge
 * (the value), Overloaded (the write queue is full). Reads at a revision: Compacted (below the kept history),
 * FutureRevision (above the newest). Opening: Locked (in use by another process), NewerFormat, OlderFormat,
 * OtherIdentity (created with other settings), Corrupt. Any time: Unavailable (a write failed on disk, or the storage
 * is closed).
 */
export type StorageErrorCode =
  | 'KeyExists'
  | 'KeyNotFound'
  | 'RevisionConflict'
  | 'TooLarge'
  | 'Overloaded'
  | 'Compacted'
  | 'FutureRevision'
  | 'Locked'
  | 'NewerFormat'
  | 'OlderFormat'
  | 'OtherIdentity'
  | 'Corrupt'
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

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StorageError'
    this.code = code
    this.key = options.key
    this.revision = options.revision
  }
}
