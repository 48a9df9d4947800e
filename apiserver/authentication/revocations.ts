/** Callbacks for revoked credentials, by the credential's name. */
export class Revocations {
  readonly #callbacks = new Map<string, Set<() => void>>()

  /** Names that have callbacks. */
  names(): string[] {
    return [...this.#callbacks.keys()]
  }

  /** Adds a callback. Returns a function that removes it. */
  add(name: string, callback: () => void): () => void {
    const callbacks = this.#callbacks.get(name) ?? new Set()
    this.#callbacks.set(name, callbacks)
    callbacks.add(callback)
    return () => {
      callbacks.delete(callback)
      if (callbacks.size === 0 && this.#callbacks.get(name) === callbacks)
        this.#callbacks.delete(name)
    }
  }

  /** Calls and removes the callbacks of a name. */
  run(name: string): void {
    const callbacks = this.#callbacks.get(name)
    this.#callbacks.delete(name)
    for (const callback of callbacks ?? []) callback()
  }
}
