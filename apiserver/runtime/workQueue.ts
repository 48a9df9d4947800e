import { DeadlineError } from '../meta/bounded.ts'
import type { Clock, Timer } from '../meta/clock.ts'

const firstRetryMs = 50
const longestRetryMs = 30_000
const defaultDeadlineMs = 60_000

export interface WorkQueueOptions {
  clock: Clock
  /** Does the work of one key; a rejection is reported and tried again later. The signal says that the work took too long,
   *  or that the queue was stopped. */
  work: (key: string, signal: AbortSignal) => Promise<void>
  report: (error: unknown) => void
  /** Keys worked on at once. */
  concurrency: number
  /** How long the work of one key may hold up others. Default one minute. */
  deadlineMs?: number
}

/** One key being worked on. */
interface Running {
  ending: AbortController
  deadline: Timer
  /** It counts among those worked on at once. */
  isCounted: boolean
}

/** Keys that wait for work. A key that is added again while it waits is worked on once; while it is worked on, once
 *  more afterwards. Failures are tried again after twice the wait each time. Work that takes too long is reported and
 *  holds up its own key alone from then on. */
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
