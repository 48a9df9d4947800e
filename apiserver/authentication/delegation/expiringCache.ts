import type { Clock } from '../../meta/clock.ts'

interface Entry<T> {
  value: T
  expiresAt: number
}

/**
 * A cache of values with a limited lifetime, which evicts the least recently used entries.
 * Concurrent look-ups of a key share one call.
 */
export class ExpiringCache<T> {
  readonly #clock: Clock
  readonly #maxEntries: number
  /** Entries, least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  readonly #pending = new Map<string, Promise<T>>()

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  /**
   * Cached value, or the result of `look`, which is cached for `ttlOf` milliseconds; 0: not cached.
   * Errors are only returned to the callers that wait for them.
   */
  async get(key: string, look: () => Promise<T>, ttlOf: (value: T) => number): Promise<T> {
    const kept = this.#kept(key)
    if (kept !== undefined) return kept.value
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const looking = look()
    this.#pending.set(key, looking)
    try {
      const value = await looking
      this.#keep(key, { value, expiresAt: this.#clock.now() + ttlOf(value) })
      return value
    } finally {
      this.#pending.delete(key)
    }
  }

  #kept(key: string): Entry<T> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    if (this.#clock.now() >= entry.expiresAt) return undefined
    this.#entries.set(key, entry)
    return entry
  }

  #keep(key: string, entry: Entry<T>): void {
    if (entry.expiresAt <= this.#clock.now()) return
    this.#entries.set(key, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break
      this.#entries.delete(oldest)
    }
  }
}
