import type { Clock } from '../../meta/clock.ts'

interface Entry<T> {
  value: T
  expiresAt: number
}

/** Values that hold for some time, the least used of too many forgotten first. What is asked for by several at once is
 *  looked up once. */
export class ExpiringCache<T> {
  readonly #clock: Clock
  readonly #maxEntries: number
  /** The least used first. */
  readonly #entries = new Map<string, Entry<T>>()
  readonly #pending = new Map<string, Promise<T>>()

  constructor(clock: Clock, maxEntries: number) {
    this.#clock = clock
    this.#maxEntries = maxEntries
  }

  /** The kept value, or the one that `look` finds, which is kept for as many milliseconds as `ttlOf` says; 0: not at
   *  all. An error is nobody's answer but of those who wait. */
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
