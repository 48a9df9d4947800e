import { guarded } from '../../meta/waiting/guarded.ts'

/** Maximum size that is handled in the current turn. */
const smallBytes = 8 * 1024
/** Approximate bytes handled in one turn; a larger batch gets a turn to itself. */
const turnBytes = 64 * 1024

/** Reports whether work of this size waits for turns. */
export function takesTurns(bytes: number): boolean {
  return bytes > smallBytes
}

interface Waiting {
  bytes: number
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Schedules large work in turns of the event loop. Waiting users alternate, each with the oldest
 * request, and the event loop runs once between two turns, so that other requests wait for one turn
 * rather than for all.
 */
export class UserFairness {
  /** Waiting work by user, the next one first. */
  readonly #callers = new Map<string, Waiting[]>()
  #isComing = false
  readonly #give = guarded(
    'userFairness.give',
    (error) => this.#refuse(error),
    () => this.#giveTurn(),
  )

  /** Resolves when it is the turn of `caller` to handle `bytes`; undefined: no turn is needed. */
  next(caller: string, bytes: number): Promise<void> | undefined {
    if (!takesTurns(bytes)) return undefined
    return new Promise((resolve, reject) => {
      const waiting = this.#callers.get(caller)
      if (waiting === undefined) this.#callers.set(caller, [{ bytes, resolve, reject }])
      else waiting.push({ bytes, resolve, reject })
      this.#come()
    })
  }

  /** Schedules a turn after the next iteration of the event loop, which first sends responses. */
  #come(): void {
    if (this.#isComing) return
    this.#isComing = true
    setImmediate(() => setImmediate(this.#give))
  }

  /** Rejects all waiting work, which would otherwise wait forever. */
  #refuse(error: unknown): void {
    this.#isComing = false
    const all = [...this.#callers.values()].flat()
    this.#callers.clear()
    for (const { reject } of all) reject(error)
  }

  #giveTurn(): void {
    this.#isComing = false
    let bytes = 0
    for (const [caller, waiting] of this.#callers) {
      const [first] = waiting
      // Each user in the map has waiting work.
      if (first === undefined || (bytes > 0 && bytes + first.bytes > turnBytes)) break
      bytes += first.bytes
      waiting.shift()
      this.#callers.delete(caller)
      // The user is queued again, after all others.
      if (waiting.length > 0) this.#callers.set(caller, waiting)
      first.resolve()
    }
    if (this.#callers.size > 0) this.#come()
  }
}
