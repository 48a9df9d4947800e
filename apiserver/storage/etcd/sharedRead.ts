/** Runs `read` for all callers: those who call during a run share the next one, which begins after their call. */
export class SharedRead {
  readonly #read: () => Promise<void>
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  /** Resolves when a read that began after this call has ended. Rejects as it does. */
  ask(): Promise<void> {
    if (this.#running === undefined) return this.#begin()
    this.#next ??= this.#running
      .catch(() => undefined) // Those who share it hear of it.
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
