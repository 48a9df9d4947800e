import type { Clock, Timer } from '../../meta/clock.ts'
import type { Database } from './database.ts'
import type { Image } from './image.ts'
import { compactionKey, encodeCompaction, historyKey } from './records.ts'

export interface CompactorOptions {
  database: Database
  image: Image
  clock: Clock
  retainSeconds: number
  /** 0: no bound. */
  retainRevisions: number
  /** The disk refused; nothing more is compacted until `start` is called again. */
  onFailed: (error: unknown) => void
}

const sliceRecords = 2000

/** Drops old history in the background. The mark is durable before the first record goes, so a crash in between leaves
 *  records that the next opening removes. One compaction runs at a time. */
export class Compactor {
  readonly #options: CompactorOptions
  #timer: Timer | undefined
  #running: Promise<void> = Promise.resolve()
  #busy = false
  #stopped = true

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  /** `leftover`: the oldest record at or below the mark that is still on disk. */
  start(leftover: number | undefined): void {
    this.#stopped = false
    if (leftover !== undefined) {
      this.#inBackground(() => this.#inTurn(() => this.#remove(leftover - 1)))
    }
    this.#arm()
  }

  /** Waits for the slice on its way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running.catch(() => {}) // Whoever asked for it heard of it.
  }

  /** Behind what is running. A revision at or below the mark only waits for that. */
  compact(revision: number): Promise<void> {
    return this.#inTurn(() => this.#compact(revision))
  }

  /** Called after every batch: does not wait for the timer when the history grows past its bound by a tenth. */
  checkSize(): void {
    const { image, retainRevisions } = this.#options
    if (retainRevisions === 0 || this.#busy || this.#stopped) return
    if (image.history.size > retainRevisions + Math.max(sliceRecords, retainRevisions / 10))
      this.#tick()
  }

  #arm(): void {
    const everyMs = Math.max(1000, this.#options.retainSeconds * 100)
    this.#timer = this.#options.clock.setTimer(() => {
      this.#tick()
      this.#arm()
    }, everyMs)
  }

  #tick(): void {
    const { image, clock } = this.#options
    image.history.mark(image.revision, clock.now())
    const target = this.#target()
    if (target > image.compacted) this.#inBackground(() => this.compact(target))
  }

  #target(): number {
    const { image, clock, retainSeconds, retainRevisions } = this.#options
    const byAge = image.history.revisionAt(clock.now() - retainSeconds * 1000)
    const byCount = retainRevisions === 0 ? 0 : image.revision - retainRevisions
    return Math.max(byAge, byCount)
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#running.catch(() => {}).then(work) // A failure is its own caller's to hear.
    this.#running = done
    return done
  }

  #inBackground(work: () => Promise<void>): void {
    if (this.#busy) return
    this.#busy = true
    void work()
      .catch(this.#options.onFailed)
      .finally(() => (this.#busy = false))
  }

  async #compact(revision: number): Promise<void> {
    const { database, image } = this.#options
    const from = image.compacted
    if (this.#stopped || revision <= from) return
    const value = encodeCompaction(revision)
    await database.write([{ type: 'put', key: compactionKey, value }])
    image.compactThrough(revision)
    await this.#remove(from)
  }

  /** Removes the records above `from` up to the mark, some thousand at a time. */
  async #remove(from: number): Promise<void> {
    const { database, image } = this.#options
    const through = image.compacted
    for (let done = from; done < through && !this.#stopped; done += sliceRecords) {
      const last = Math.min(done + sliceRecords, through)
      await database.clear({ gte: historyKey(done + 1), lte: historyKey(last) })
    }
  }
}
