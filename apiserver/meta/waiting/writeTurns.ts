import { guarded } from './guarded.ts'

/** Time in ms that writes may take in one turn of the event loop. */
const turnMs = 10

/**
 * Turns of the event loop for writes that continue when a connection has taken the one before. Connections with room
 * take theirs at once, so hundreds that share a large event would be served in one turn, which encrypts a copy for each
 * of them. Within the time for writes, nothing waits.
 */
export class WriteTurns {
  /** Writes for later turns, the next one first. */
  #waiting: (() => void)[] = []
  #takenMs = 0
  #isComing = false
  readonly #begin = guarded(
    'writeTurns.begin',
    // Those that wait are written a turn later.
    () => {
      this.#isComing = false
      this.#come()
    },
    () => this.#go(),
  )

  /** Runs `write` at once if this turn has time for it, otherwise after those that wait. It must not throw. */
  run(write: () => void): void {
    this.#come()
    if (this.#waiting.length > 0 || this.#takenMs >= turnMs) this.#waiting.push(write)
    else this.#timed(write)
  }

  /** Begins to count the time of writes anew in the next turn, and continues those that wait. */
  #come(): void {
    if (this.#isComing) return
    this.#isComing = true
    this.#takenMs = 0
    setImmediate(this.#begin)
  }

  #go(): void {
    this.#isComing = false
    const writes = this.#waiting
    if (writes.length === 0) return
    this.#come()
    let at = 0
    try {
      while (at < writes.length && this.#takenMs < turnMs) {
        const write = writes[at++]
        if (write !== undefined) this.#timed(write)
      }
    } finally {
      this.#waiting = writes.slice(at)
    }
  }

  #timed(write: () => void): void {
    const began = performance.now()
    write()
    this.#takenMs += performance.now() - began
  }
}

/** Turns of this process, which has one event loop. */
export const writeTurns = new WriteTurns()
