import { guarded } from '../../meta/guarded.ts'

/** What is no larger needs no turn of its own. */
const smallBytes = 8 * 1024
/** About what is worked on in one turn; what is larger has one for itself. */
const turnBytes = 64 * 1024

interface Waiting {
  bytes: number
  resolve: () => void
  reject: (error: unknown) => void
}

/** Turns of the event loop for what takes long by its size. All callers that wait get one in turn, each for what it sent
 *  first; and between two turns the loop goes round once, so that whatever else is asked waits for one of them and not
 *  for all. */
export class CallerTurns {
  /** The caller whose turn is next stands first. */
  readonly #callers = new Map<string, Waiting[]>()
  #isComing = false
  readonly #give = guarded(
    'callerTurns.give',
    (error) => this.#refuse(error),
    () => this.#giveTurn(),
  )

  /** Resolves when it is the turn of `caller` to work on `bytes`; undefined: they need none. */
  next(caller: string, bytes: number): Promise<void> | undefined {
    if (bytes <= smallBytes) return undefined
    return new Promise((resolve, reject) => {
      const waiting = this.#callers.get(caller)
      if (waiting === undefined) this.#callers.set(caller, [{ bytes, resolve, reject }])
      else waiting.push({ bytes, resolve, reject })
      this.#come()
    })
  }

  /** In the turn after the next: the answers of the next go out before it. */
  #come(): void {
    if (this.#isComing) return
    this.#isComing = true
    setImmediate(() => setImmediate(this.#give))
  }

  /** Who waits is told, since no turn would come. */
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
      // Who waits has something to wait for.
      if (first === undefined || (bytes > 0 && bytes + first.bytes > turnBytes)) break
      bytes += first.bytes
      waiting.shift()
      this.#callers.delete(caller)
      // The loop comes to it again, behind all others.
      if (waiting.length > 0) this.#callers.set(caller, waiting)
      first.resolve()
    }
    if (this.#callers.size > 0) this.#come()
  }
}

/** Those of the process, which has one event loop. */
export const callerTurns = new CallerTurns()
