import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../meta/clock.ts'
import { Histogram } from '../../meta/histogram.ts'
import { StorageError } from '../errors.ts'
import type { Change, StoredValue } from '../storage.ts'
import type { Database } from './database.ts'
import type { Image, Write } from './image.ts'
import { batchRecords } from './logRecords.ts'

/** A write on its way, and who waits for it. */
class Pending implements Write {
  readonly change: Change
  readonly stored: StoredValue | undefined
  /** Resolves to `stored`. */
  readonly done: Promise<StoredValue | undefined>
  resolve!: (stored: StoredValue | undefined) => void // Set by the promise's own constructor.
  reject!: (error: Error) => void

  constructor(change: Change, stored: StoredValue | undefined) {
    this.change = change
    this.stored = stored
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

export interface WriteQueueOptions {
  database: Database
  image: Image
  clock: Clock
  /** Writes that may wait for the batch on its way; one more is refused with Overloaded. */
  maxQueued: number
  /** The batch is durable and in the image; the writers have not been told yet. */
  onCommitted: (changes: readonly Change[]) => void
  /** The batch and all that waited behind it are rejected; nothing may be added until `restart`. */
  onFailed: (error: unknown) => void
}

const maxBatch = 1024
/** Of more writes than these that wait together, one half goes first: while it is on its way to disk, the writers of the
 *  other one work, and so on in turn. */
const largeBatch = 128
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Group commit: one batch is on its way to disk; writes that come meanwhile gather for the next. */
export class WriteQueue {
  /** How long each batch took to become durable. */
  readonly seconds = new Histogram(seconds)
  readonly #options: WriteQueueOptions
  #queue: Pending[] = []
  /** On its way to disk, from the revision after the image's on; the queue follows it. */
  #batch: Pending[] = []
  /** The newest write of every key that has one on its way. */
  #overlay = new Map<string, Pending>()
  #allocated: number
  #draining: Promise<void> | undefined

  constructor(options: WriteQueueOptions) {
    this.#options = options
    this.#allocated = options.image.revision
  }

  newest(key: string): StoredValue | undefined {
    const pending = this.#overlay.get(key)
    return pending === undefined ? this.#options.image.get(key) : pending.stored
  }

  /** The revision that the next `add` must carry. @throws StorageError Overloaded. */
  nextRevision(): number {
    if (this.#queue.length >= this.#options.maxQueued) {
      throw new StorageError('Overloaded', 'too many writes are waiting for the disk')
    }
    return this.#allocated + 1
  }

  /** Resolves to `stored` when the write is durable and applied, in the order of the calls. */
  add(change: Change, stored: StoredValue | undefined): Promise<StoredValue | undefined> {
    this.#allocated = change.revision
    const pending = new Pending(change, stored)
    this.#queue.push(pending)
    this.#overlay.set(change.key, pending)
    this.#draining ??= this.#drain()
    return pending.done
  }

  /** As the write of `revision` ends, so does this. @throws StorageError Unavailable. */
  async settled(revision: number): Promise<void> {
    const ahead = revision - this.#options.image.revision
    if (ahead <= 0) return
    const pending = this.#batch[ahead - 1] ?? this.#queue[ahead - 1 - this.#batch.length]
    if (pending !== undefined) return void (await pending.done)
    throw new StorageError('Unavailable', `the write of revision ${revision} failed on disk`)
  }

  /** Resolves when nothing is on its way any more, whether it succeeded or not. */
  async idle(): Promise<void> {
    await this.#draining
  }

  /** The image was read anew after a failure: the revisions of rejected writes are free again. */
  restart(): void {
    this.#allocated = this.#options.image.revision
  }

  async #drain(): Promise<void> {
    let isOtherHalf = false
    while (this.#queue.length > 0) {
      // Writers that were just told come back within this turn of the event loop, and join the batch.
      if (!isOtherHalf) await setImmediate()
      const waiting = this.#queue.length
      const share = isOtherHalf || waiting <= largeBatch ? waiting : Math.ceil(waiting / 2)
      const batch = (this.#batch = this.#queue.splice(0, Math.min(share, maxBatch)))
      const changes = batch.map((pending) => pending.change)
      const { database, clock } = this.#options
      const { writes, firsts } = batchRecords(changes, clock.now())
      const began = performance.now()
      try {
        await database.write(writes)
        this.seconds.add((performance.now() - began) / 1000)
      } catch (error) {
        this.#fail(batch, error)
        break
      }
      this.#commit(batch, changes, firsts)
      isOtherHalf = this.#queue.length >= largeBatch / 2
    }
    this.#draining = undefined
  }

  #commit(batch: readonly Pending[], changes: readonly Change[], firsts: number[]): void {
    const { image, clock, onCommitted } = this.#options
    image.apply(batch, firsts)
    image.history.mark(image.revision, clock.now())
    this.#batch = []
    for (const pending of batch) {
      const { key } = pending.change
      if (this.#overlay.get(key) === pending) this.#overlay.delete(key)
    }
    onCommitted(changes)
    for (const { resolve, stored } of batch) resolve(stored)
  }

  #fail(batch: readonly Pending[], cause: unknown): void {
    const rejected = [...batch, ...this.#queue]
    this.#queue = []
    this.#batch = []
    this.#overlay.clear()
    this.#options.onFailed(cause)
    for (const { change, reject } of rejected) {
      const message = `the write of ${change.key} failed on disk`
      reject(new StorageError('Unavailable', message, { key: change.key, cause }))
    }
  }
}
