import type { Change, KeyRange, StoredValue } from '../../storage.ts'
import { Objects } from '../../objects/objects.ts'
import type { HistoryIndex } from './historyIndex.ts'
import type { Mark } from '../format/records.ts'

/** A write as it was accepted. */
export interface Write {
  change: Change
  /** The new value of the key; absent for a deletion. */
  stored: StoredValue | undefined
}

/**
 * The committed state in memory: every object, and an index of the log. Reads of the newest state never touch the disk.
 * It changes only in the turn in which a batch became durable.
 */
export class Image {
  #objects = new Objects()
  #history: HistoryIndex
  #mark: Mark
  #revision: number
  /** The chain of the log at its end, as it was read. */
  chain = 0
  /** Pending move of the checkpoint on disk. */
  #moving: Promise<void> | undefined

  constructor(history: HistoryIndex, mark: Mark) {
    this.#history = history
    this.#mark = mark
    this.#revision = mark.checkpoint
  }

  get revision(): number {
    return this.#revision
  }
  get compacted(): number {
    return this.#mark.compacted
  }
  get mark(): Mark {
    return this.#mark
  }
  get history(): HistoryIndex {
    return this.#history
  }
  get size(): number {
    return this.#objects.size
  }

  get(key: string): StoredValue | undefined {
    return this.#objects.get(key)
  }

  /** Values of `range` in key order that `wanted` accepts, at most `limit`; 0: all. */
  collect(range: KeyRange, limit: number, wanted?: (key: string) => boolean): StoredValue[] {
    return this.#objects.collect(range, limit, wanted)
  }

  /** Adds an object of the checkpoint while loading; in key order this is an append. */
  load(stored: StoredValue): void {
    this.#objects.set(stored)
  }

  /** Adds a write of the log while loading, the next revision. */
  replay(key: string, value: Buffer | undefined): void {
    const revision = this.#revision + 1
    const previous = this.#objects.get(key)
    // All writes of a key share one string.
    const known = previous?.key ?? key
    this.#history.append(known, previous?.revision ?? 0)
    this.#applyOne(known, value && { key: known, revision, value })
    this.#revision = revision
  }

  /** Applies a durable log record: changes without a gap, starting at the next revision. */
  apply(writes: readonly Write[]): void {
    this.#history.beginRecord()
    for (const { change, stored } of writes) {
      const { key, revision, previous } = change
      this.#history.append(key, previous?.revision ?? 0)
      this.#applyOne(key, stored)
      this.#revision = revision
    }
  }

  compactThrough(revision: number): void {
    this.#mark = { ...this.#mark, compacted: revision }
  }

  /** Resolves when the checkpoint is not moving. */
  async settledCheckpoint(): Promise<void> {
    await this.#moving?.catch(() => {}) // the caller that moves it gets the error
  }

  /** Moves the checkpoint with `write`; the log before it is dropped from memory once that is durable. */
  async moveCheckpoint(next: Mark, write: () => Promise<void>): Promise<void> {
    this.#moving = write().then(() => {
      this.#mark = { ...next, compacted: Math.max(next.compacted, this.#mark.compacted) }
      this.#history.dropThrough(next.checkpoint)
    })
    try {
      await this.#moving
    } finally {
      this.#moving = undefined
    }
  }

  /** Adopts state that was read from disk again. Reads in progress have captured what they need and are unaffected. */
  become(other: Image): void {
    this.#objects = other.#objects
    this.#history = other.#history
    this.#mark = other.#mark
    this.#revision = other.#revision
    this.chain = other.chain
  }

  #applyOne(key: string, stored: StoredValue | undefined): void {
    if (stored === undefined) this.#objects.delete(key)
    else this.#objects.set(stored)
  }
}
