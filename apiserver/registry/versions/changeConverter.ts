import type { Clock, Timer } from '../../meta/clock.ts'
import type { Change } from '../../storage/storage.ts'

/** Maximum numbers of changes that wait for conversion, and that are converted together. */
const mostWaiting = 10_000
const atOnce = 100
/** Delays between attempts while conversions fail. */
const retryMs = { first: 250, longest: 15_000 }

export interface ChangeConverterOptions {
  clock: Clock
  /** Reports whether a change can be delivered at once. */
  isReady: (change: Change) => boolean
  /** Converts changes. @throws StatusError. */
  convert: (changes: readonly Change[]) => Promise<void>
  deliver: (changes: readonly Change[]) => void
  /** Called once if too many changes wait: no more are delivered. */
  lost: () => void
}

interface Waiter {
  revision: number
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Delivers changes in order, each after its conversion. While conversions fail, nothing is delivered, and they are
 * retried.
 */
export class ChangeConverter {
  readonly #options: ChangeConverterOptions
  #queue: Change[] = []
  #waiters: Waiter[] = []
  #isRunning = false
  #isClosed = false
  #delayMs = retryMs.first
  #retry: Timer | undefined

  constructor(options: ChangeConverterOptions) {
    this.#options = options
  }

  /** Revision up to which every change is delivered; undefined: none is waiting. */
  get position(): number | undefined {
    const [first] = this.#queue
    return first && first.revision - 1
  }

  add(changes: readonly Change[]): void {
    if (this.#isClosed) return
    const { isReady, deliver, lost } = this.#options
    if (this.#queue.length === 0 && changes.every(isReady)) {
      deliver(changes)
      return
    }
    if (this.#queue.length + changes.length > mostWaiting) {
      this.close()
      lost()
      return
    }
    this.#queue.push(...changes)
    if (this.#retry === undefined) void this.#run()
  }

  /** Resolves when the changes up to `revision` are delivered. Rejects when an attempt to convert them fails. */
  reach(revision: number): Promise<void> {
    const { position = revision } = this
    if (position >= revision) return Promise.resolve()
    const reached = new Promise<void>((resolve, reject) => {
      this.#waiters.push({ revision, resolve, reject })
    })
    if (this.#retry !== undefined) this.#again()
    return reached
  }

  close(): void {
    this.#isClosed = true
    this.#queue = []
    this.#retry?.cancel()
    this.#tellWaiters()
  }

  #again(): void {
    this.#retry?.cancel()
    this.#retry = undefined
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#queue.length > 0) await this.#step()
      this.#delayMs = retryMs.first
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isRunning = false
    }
  }

  async #step(): Promise<void> {
    const { convert, deliver } = this.#options
    const changes = this.#queue.slice(0, atOnce)
    await convert(changes)
    if (this.#isClosed) return
    this.#queue.splice(0, changes.length)
    deliver(changes)
    this.#tellWaiters()
  }

  #failed(error: unknown): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(error)
    if (this.#isClosed) return
    this.#retry = this.#options.clock.setTimer(() => this.#again(), this.#delayMs)
    this.#delayMs = Math.min(this.#delayMs * 2, retryMs.longest)
  }

  #tellWaiters(): void {
    const { position = Infinity } = this
    const reached = this.#waiters.filter(({ revision }) => revision <= position)
    this.#waiters = this.#waiters.filter(({ revision }) => revision > position)
    for (const { resolve } of reached) resolve()
  }
}
