import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../../meta/clock.ts'
import { Histogram } from '../../../meta/collections/histogram.ts'
import { StorageError } from '../../errors.ts'
import type { Change, StoredValue } from '../../storage.ts'
import type { Database } from '../format/database.ts'
import type { Sealing } from '../../encryption/sealing.ts'
import type { Image, Write } from '../image/image.ts'
import { OpenRecord, RecordBuffers } from '../format/openRecord.ts'
import { chained, logSize, type LogWrite } from '../format/records.ts'

/** A write in progress and the promise of its writer. */
class Pending implements Write {
  readonly change: Change
  readonly stored: StoredValue | undefined
  /** Resolves to `stored`. */
  readonly done: Promise<StoredValue | undefined>
  resolve!: (stored: StoredValue | undefined) => void // set by the promise's constructor
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
  /** Encryption of values. */
  sealing: Sealing
  clock: Clock
  /** Maximum number of writes queued after the batch in progress; further ones are refused with Overloaded. */
  maxQueued: number
  /**
   * Called when everything up to `revision` is durable; `chain` is the chain of the log there. Writers are notified after
   * it returns; if it throws, the batch fails.
   */
  onDurable: (revision: number, chain: number) => void
  /** Called when the batch is durable and in the image, before the writers are notified. */
  onCommitted: (changes: readonly Change[]) => void
  /** Called when the batch and everything queued after it is rejected; nothing may be added until `restart`. */
  onFailed: (error: unknown) => void
}

/** Writes of one log record, in revision order from its first. */
interface Group {
  record: OpenRecord
  pending: Pending[]
}

/** Maximum number of records written to disk together. */
const maxBatch = 8
/**
 * If this many writes wait when a batch is durable, the next batch is started before the writers of
 * the last one are notified.
 */
const enough = 64
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Group commit: one batch is written to disk at a time; writes that arrive meanwhile are gathered for the next. */
export class WriteQueue {
  /** Time that each batch took to become durable. */
  readonly seconds = new Histogram(seconds)
  readonly #options: WriteQueueOptions
  readonly #buffers = new RecordBuffers()
  /** Groups being written to disk, starting with the revision after the image's. */
  #leaving: Group[] = []
  /** Groups that follow them. */
  #waiting: Group[] = []
  #waitingWrites = 0
  /** The newest pending write of every key. */
  #overlay = new Map<string, Pending>()
  #allocated: number
  /** The chain of the durable log. */
  #chain: number
  #draining: Promise<void> | undefined

  constructor(options: WriteQueueOptions) {
    this.#options = options
    this.#allocated = options.image.revision
    this.#chain = options.image.chain
  }

  newest(key: string): StoredValue | undefined {
    const pending = this.#overlay.get(key)
    return pending === undefined ? this.#options.image.get(key) : pending.stored
  }

  /** Revision of the newest pending write of one key or of any; 0: none. */
  pendingRevision(key?: string): number {
    if (this.#overlay.size === 0) return 0
    if (key !== undefined) return this.#overlay.get(key)?.change.revision ?? 0
    const group = this.#waiting.at(-1) ?? this.#leaving.at(-1)
    return group?.pending.at(-1)?.change.revision ?? 0
  }

  /** The revision that the next `add` must carry. @throws StorageError Overloaded. */
  nextRevision(): number {
    if (this.#waitingWrites >= this.#options.maxQueued) {
      throw new StorageError('Overloaded', 'too many writes are waiting for the disk')
    }
    return this.#allocated + 1
  }

  /** Resolves to `stored` when the write is durable and applied, in the order of the calls. @throws StorageError Unavailable. */
  add(change: Change, stored: StoredValue | undefined): Promise<StoredValue | undefined> {
    const write = this.#sealed(change)
    const group = this.#groupFor(change, write)
    group.record.add(write)
    // Nothing after this may fail: an allocated revision without a write would be a gap in the log.
    this.#allocated = change.revision
    const pending = new Pending(change, stored)
    if (group.pending.push(pending) === 1) this.#waiting.push(group)
    this.#waitingWrites++
    this.#overlay.set(change.key, pending)
    this.#draining ??= this.#drain()
    return pending.done
  }

  /** Settles like the write of `revision`. @throws StorageError Unavailable. */
  async settled(revision: number): Promise<void> {
    if (revision <= this.#options.image.revision) return
    const groups = [...this.#leaving, ...this.#waiting]
    const group = groups.findLast(({ record }) => record.first <= revision)
    const pending = group?.pending[revision - group.record.first]
    if (pending !== undefined) return void (await pending.done)
    throw new StorageError('Unavailable', `the write of revision ${revision} failed on disk`)
  }

  /** Resolves when nothing is pending, whether it succeeded or not. */
  async idle(): Promise<void> {
    await this.#draining
  }

  /** Resets the revisions after the image was read again: revisions of rejected writes are free. */
  restart(): void {
    this.#allocated = this.#options.image.revision
    this.#chain = this.#options.image.chain
  }

  #sealed(change: Change): LogWrite {
    const { key, value } = change
    if (value === undefined) return change
    const stored = this.#options.sealing.seal(key, value)
    return stored === value ? change : { key, value: stored }
  }

  #groupFor(change: Change, write: LogWrite): Group {
    const size = logSize(write)
    const last = this.#waiting.at(-1)
    if (last?.record.hasRoom(size) === true) return last
    return { record: new OpenRecord(this.#buffers, change.revision, size), pending: [] }
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waitingWrites > 0) {
        // Writers that were just notified continue within this turn of the event loop, and join the batch.
        await setImmediate()
        await this.#writeOn()
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#draining = undefined
  }

  /** Writes the waiting groups, and continues as long as enough writes wait. Rejects with the disk's error. */
  async #writeOn(): Promise<void> {
    // If there are many groups, half are written first, so that their writers work while the other
    // half is written, and so on.
    let batch = this.#take(Math.ceil(this.#waiting.length / 2))
    let durable = this.#write(batch)
    for (;;) {
      await durable
      const next = this.#waitingWrites < enough ? [] : this.#take(this.#waiting.length)
      if (next.length > 0) durable = this.#write(next)
      for (const group of batch) this.#commit(group)
      if (next.length === 0) return
      batch = next
    }
  }

  #take(count: number): Group[] {
    const batch = this.#waiting.splice(0, Math.min(count, maxBatch))
    for (const { pending } of batch) this.#waitingWrites -= pending.length
    this.#leaving.push(...batch)
    return batch
  }

  async #write(batch: readonly Group[]): Promise<void> {
    const { database, clock, onDurable } = this.#options
    const began = performance.now()
    const time = clock.now()
    const writes = batch.map(({ record }) => record.sealed(time))
    const chain = writes.reduce((before, { value }) => chained(before, value), this.#chain)
    try {
      await database.write(writes)
    } finally {
      for (const { record } of batch) record.release()
    }
    this.#chain = chain
    onDurable(lastRevision(batch), chain)
    this.seconds.add((performance.now() - began) / 1000)
  }

  #commit({ pending }: Group): void {
    const { image, clock, onCommitted } = this.#options
    image.apply(pending)
    image.history.mark(image.revision, clock.now())
    this.#leaving.shift()
    for (const write of pending) {
      const { key } = write.change
      if (this.#overlay.get(key) === write) this.#overlay.delete(key)
    }
    onCommitted(pending.map(({ change }) => change))
    for (const { resolve, stored } of pending) resolve(stored)
  }

  #fail(cause: unknown): void {
    const rejected = [...this.#leaving, ...this.#waiting].flatMap(({ pending }) => pending)
    this.#leaving = []
    this.#waiting = []
    this.#waitingWrites = 0
    this.#overlay.clear()
    this.#options.onFailed(cause)
    for (const { change, reject } of rejected) {
      const message = `the write of ${change.key} failed on disk`
      reject(new StorageError('Unavailable', message, { key: change.key, cause }))
    }
  }
}

function lastRevision(batch: readonly Group[]): number {
  const last = batch.at(-1)
  return last === undefined ? 0 : last.record.first + last.pending.length - 1
}
