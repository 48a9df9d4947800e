/** Runs `read` for all callers: calls during a run share the next one, which starts after them. */
export class SharedRead {
  readonly #read: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Resolves when a read that started after this call has ended; rejects if the read does. */
  ask(): Promise<void> {
    if (this.#running === undefined) return this.#begin()
    this.#next ??= this.#running
      .catch(() => undefined) // callers that share the read get the error
      .then(() => {
        this.#next = undefined
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<void> {
    const running = this.#read().finally(() => {
      this.#running = undefined
    })
    this.#running = running
    return running
  }
}
