/** Who is to be told when a credential stops being of use, by its name. */
export class Revocations {
  readonly #callbacks = new Map<string, Set<() => void>>()

  /** The names that somebody waits for. */
  names(): string[] {
    return [...this.#callbacks.keys()]
  }

  /** Gives the function that takes the callback back. */
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

  /** Tells everybody who waits for a name, once. */
  run(name: string): void {
    const callbacks = this.#callbacks.get(name)
    this.#callbacks.delete(name)
    for (const callback of callbacks ?? []) callback()
  }
}
