import { DeadlineError } from '../meta/waiting/bounded.ts'
import type { Clock, Timer } from '../meta/clock.ts'

const firstRetryMs = 50
const longestRetryMs = 30_000
const defaultDeadlineMs = 60_000

export interface WorkQueueOptions {
  clock: Clock
  /**
   * Handles one key; a rejection is reported and retried later. The signal aborts when the deadline passes or the queue
   * stops.
   */
  work: (key: string, signal: AbortSignal) => Promise<void>
  report: (error: unknown) => void
  /** Maximum number of keys handled concurrently. */
  concurrency: number
  /** Time after which the work of one key no longer blocks others. Default one minute. */
  deadlineMs?: number
}

/** A key whose work is running. */
interface Running {
  ending: AbortController
  deadline: Timer
  /** True if the task counts against `concurrency`. */
  isCounted: boolean
}

/**
 * A queue of keys with retries. A key added again while it waits is handled once; one added while it is handled is
 * handled once more afterwards. Failures are retried with exponential backoff. Work that exceeds its deadline is
 * reported and from then on blocks only its own key.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions
  readonly #waiting = new Set<string>()
  readonly #running = new Map<string, Running>()
  readonly #failures = new Map<string, number>()
  readonly #retries = new Map<string, Timer>()
  #counted = 0
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
    for (const { ending, deadline } of this.#running.values()) {
      deadline.cancel()
      ending.abort(new Error('the work queue was stopped'))
    }
  }

  #startNext(): void {
    for (const key of this.#waiting) {
      if (this.#counted >= this.#options.concurrency) return
      if (this.#running.has(key)) continue
      this.#waiting.delete(key)
      void this.#run(key)
    }
  }

  async #run(key: string): Promise<void> {
    const running = this.#begin(key)
    try {
      await this.#options.work(key, running.ending.signal)
      this.#failures.delete(key)
    } catch (error) {
      this.#options.report(error)
      this.#retry(key)
    }
    running.deadline.cancel()
    this.#running.delete(key)
    this.#release(running)
  }

  #begin(key: string): Running {
    const { clock, deadlineMs = defaultDeadlineMs, report } = this.#options
    const late = () => {
      const error = new DeadlineError(`the work on ${key}`, deadlineMs)
      running.ending.abort(error)
      report(error)
      this.#release(running)
    }
    const deadline = clock.setTimer(late, deadlineMs)
    const running = { ending: new AbortController(), deadline, isCounted: true }
    this.#running.set(key, running)
    this.#counted += 1
    return running
  }

  #release(running: Running): void {
    if (running.isCounted) this.#counted -= 1
    running.isCounted = false
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
