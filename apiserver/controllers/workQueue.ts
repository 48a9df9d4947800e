import type { Clock, Timer } from '../meta/clock.ts'

const firstRetryMs = 50
const longestRetryMs = 30_000

export interface WorkQueueOptions {
  clock: Clock
  /** Does the work of one key; a rejection is reported and tried again later. */
  work: (key: string) => Promise<void>
  report: (error: unknown) => void
  /** Keys worked on at once. */
  concurrency: number
}

/** Keys that wait for work. A key that is added again while it waits is worked on once; while it is worked on, once
 *  more afterwards. Failures are tried again after twice the wait each time. */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  readonly #failures = new Map<string, number>()
  readonly #retries = new Map<string, Timer>()
  #isStopped = false

  constructor(options: WorkQueueOptions) {
    this.#options = options
  }

  add(key: string): void {
    if (this.#isStopped) return
    this.#waiting.add(key)
    this.#startNext()
  }

  stop(): void {
    this.#isStopped = true
    this.#waiting.clear()
    for (const timer of this.#retries.values()) timer.cancel()
    this.#retries.clear()
  }

  #startNext(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#options.concurrency) return
      if (this.#running.has(key)) continue
      this.#waiting.delete(key)
      this.#running.add(key)
      void this.#run(key)
    }
  }

  async #run(key: string): Promise<void> {
    try {
      await this.#options.work(key)
      this.#failures.delete(key)
    } catch (error) {
      this.#options.report(error)
      this.#retry(key)
    }
    this.#running.delete(key)
    this.#startNext()
  }

  #retry(key: string): void {
    if (this.#isStopped) return
    const failures = (this.#failures.get(key) ?? 0) + 1
    this.#failures.set(key, failures)
    this.#retries.get(key)?.cancel()
    const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10))
    const timer = this.#options.clock.setTimer(() => {
      this.#retries.delete(key)
      this.add(key)
    }, wait)
    this.#retries.set(key, timer)
  }
}
