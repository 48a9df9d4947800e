import type { Clock, Timer } from '../../../apiserver/meta/clock.ts'

interface Waiting {
  at: number
  callback: () => void
}

/** A clock that stands still until a test moves it. It begins at 2030-01-01T00:00:00Z by default. */
export class FakeClock implements Clock {
  #now: number
  #waiting = new Set<Waiting>()

  constructor(startMs: number = Date.UTC(2030, 0, 1)) {
    this.#now = startMs
  }

  /** Number of timers that are set: 0 when everything that was started is stopped. */
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

  /** Moves time on and calls what falls due, in order of time, then of setting, each at its own time; timers that are
   *  set meanwhile included. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let due = this.#firstDue(end); due !== undefined; due = this.#firstDue(end)) {
      this.#waiting.delete(due)
      this.#now = Math.max(this.#now, due.at)
      due.callback()
    }
    this.#now = end
  }

  /** Sets the time without calling anything, also backwards: somebody changed the wall clock. Timers keep the moment
   *  they were set for. */
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
