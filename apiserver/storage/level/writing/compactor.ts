import type { Clock, Timer } from '../../../meta/clock.ts'
import type { Database } from '../format/database.ts'
import type { Image } from '../image/image.ts'
import { checkpointStep } from './checkpointStep.ts'
import { encodeMark, markKey } from '../format/records.ts'

export interface CompactorOptions {
  database: Database
  image: Image
  clock: Clock
  retainSeconds: number
  /** Maximum number of revisions; 0: unlimited. */
  retainRevisions: number
  /** Called when the disk failed; compaction is suspended until `start` is called again. */
  onFailed: (error: unknown) => void
}

/** Approximate writes per step: a step blocks the event loop for a millisecond or two. */
const stepWrites = 400
/** Excess writes below which a compaction is not worthwhile. */
const leastExcess = 2000

/**
 * Drops old history in the background: moves the oldest part of the log into the checkpoint, step by step. The objects,
 * the mark and the removal of the log records of a step are one batch. Every write is synced, because everything before
 * a synced write in LevelDB's own log has to be intact. One compaction runs at a time.
 */
export class Compactor {
  readonly #options: CompactorOptions
  #timer: Timer | undefined
  #running: Promise<void> = Promise.resolve()
  #busy = false
  #stopped = true

  constructor(options: CompactorOptions) {
    this.#options = options
  }

  /** `leftover`: the keys of log records at or below the checkpoint, left by a crash of an older server. */
  start(leftover: readonly string[]): void {
    this.#stopped = false
    if (leftover.length > 0) {
      this.#inBackground(() => this.#inTurn(() => this.#remove(leftover)))
    }
    this.#arm()
  }

  /** Waits for the step in progress. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running.catch(() => {}) // its caller gets the error
  }

  /** Compacts after the compaction in progress. A revision at or below the mark only waits for it. */
  compact(revision: number): Promise<void> {
    return this.#inTurn(() => this.#compact(revision))
  }

  /** Checks the bound after every batch: starts before the timer if the history exceeds its bound by a tenth. */
  checkSize(): void {
    const { image, retainRevisions } = this.#options
    if (retainRevisions === 0 || this.#busy || this.#stopped) return
    if (image.history.size > retainRevisions + Math.max(leastExcess, retainRevisions / 10))
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
    const done = this.#running.catch(() => {}).then(work) // its own caller gets the error
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
    if (this.#stopped || revision <= image.compacted) return
    const value = encodeMark({ ...image.mark, compacted: revision })
    await database.write([{ type: 'put', key: markKey, value }])
    image.compactThrough(revision)
    while (!this.#stopped && (await this.#step())) continue
  }

  /** Moves the checkpoint past the next records; false: nothing is left to move. */
  async #step(): Promise<boolean> {
    const { database, image } = this.#options
    const through = image.history.boundary(stepWrites, image.compacted)
    if (through === 0) return false
    const step = await checkpointStep(database, image, through)
    await image.moveCheckpoint(step.mark, () => database.write(step.writes))
    return true
  }

  #remove(logKeys: readonly string[]): Promise<void> {
    return this.#options.database.write(logKeys.map((key) => ({ type: 'del', key })))
  }
}
