import { StorageError } from '../errors.ts'
import type { PendingWrite } from './pendingWrite.ts'

/** Writes of one transaction, which are committed together or not at all. */
export class WriteGroup {
  readonly writes: PendingWrite[] = []
  /** Resolves when all writes are known. */
  readonly closed: Promise<void>
  /** Revision, once a commit has started. */
  committed: Promise<number> | undefined
  #isRefused = false
  #close!: () => void // set by the promise's constructor

  constructor() {
    this.closed = new Promise((resolve) => (this.#close = resolve))
  }

  close(): void {
    this.#close()
  }

  /** Refuses all writes, because one cannot be written; no effect once the commit has started. */
  refuse(): void {
    this.#isRefused = true
  }

  /** Checks the group. @throws StorageError RevisionConflict if one of them cannot be written. */
  check(): void {
    if (!this.#isRefused) return
    throw new StorageError('RevisionConflict', 'a write that belongs to it was refused')
  }
}
