import { StorageError } from '../errors.ts'
import type { PendingWrite } from './pendingWrite.ts'

/** Writes of one transaction, which commits all or none of them. */
export class WriteGroup {
  readonly writes: PendingWrite[] = []
  /** Resolves when all writes are known. */
  readonly closed: Promise<void>
  /** The revision, once something has begun to commit them. */
  committed: Promise<number> | undefined
  #isRefused = false
  #close!: () => void // Set by the promise's own constructor.

  constructor() {
    this.closed = new Promise((resolve) => (this.#close = resolve))
  }

  close(): void {
    this.#close()
  }

  /** Refuses all of them, because one cannot be written; without effect once they are on their way. */
  refuse(): void {
    this.#isRefused = true
  }

  /** @throws StorageError RevisionConflict if one of them cannot be written. */
  check(): void {
    if (!this.#isRefused) return
    throw new StorageError('RevisionConflict', 'a write that belongs to it was refused')
  }
}
