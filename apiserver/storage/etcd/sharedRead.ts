/**
 * Runs `read` for all callers, one run at a time. Calls of one turn of the event loop share a run, and so do calls
 * during a run, which share the next one: each run starts after the calls that it is for.
 */
export class SharedRead {
  readonly #read: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Resolves when a read that started after this call has ended; rejects if the read does. */
  ask(): Promise<void> {
    this.#next ??= this.#begin()
    return this.#next
  }

  async #begin(): Promise<void> {
    await this.#running?.catch(() => undefined) // callers that share the read get the error
    await new Promise(setImmediate)
    this.#next = undefined
    this.#running = this.#read()
    return this.#running
  }
}
