import type { Clock, Timer } from '../../../apiserver/meta/clock.ts'

interface Waiting {
  at: number
  callback: () => void
}

/**
 * Clock that stands still until a test advances it. It begins at 2030-01-01T00:00:00Z by default.
 */
export class FakeClock implements Clock {
  #now: number
  #waiting = new Set<Waiting>()

  constructor(startMs: number = Date.UTC(2030, 0, 1)) {
    this.#now = startMs
  }

  /** Number of active timers: 0 when everything that was started is stopped. */
  get timers(): number {
    return this.#waiting.size
  }

  now(): number {
    return this.#now
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const waiting: Waiting = { at: this.#now + Math.max(0, delayMs), callback }
    this.#waiting.add(waiting)
    return { cancel: () => void this.#waiting.delete(waiting) }
  }

  /**
   * Advances time and runs due timers, in order of time, then of setting, each at its own time;
   * including timers that are set in the process.
   */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let due = this.#firstDue(end); due !== undefined; due = this.#firstDue(end)) {
      this.#waiting.delete(due)
      this.#now = Math.max(this.#now, due.at)
      due.callback()
    }
    this.#now = end
  }

  /**
   * Sets the time without running timers, also backwards, like a change of the wall clock. Timers
   * keep the time for which they were set.
   */
  jumpTo(epochMs: number): void {
    this.#now = epochMs
  }

  #firstDue(end: number): Waiting | undefined {
    let first: Waiting | undefined
    for (const waiting of this.#waiting) {
      if (waiting.at <= end && (first === undefined || waiting.at < first.at)) first = waiting
    }
    return first
  }
}
