import type { Clock } from '../../../meta/clock.ts'

/** Short-lived state of logins. Ids are secrets: implementations that store them keep digests only. */
export interface LoginRecords {
  /** Keeps `content` under a new id until `until`, in milliseconds since the epoch. */
  put(id: string, content: string, until: number): Promise<void>
  /**
   * Removes a record and returns its content; undefined: unknown, taken or expired. Only one of concurrent calls,
   * on any server, gets it.
   */
  take(id: string): Promise<string | undefined>
  /** Marks an id as used until `until`. Returns true for its first use on any server. */
  use(id: string, until: number): Promise<boolean>
}

/** Maximum number of records; beyond that the oldest is dropped. */
const maxRecords = 10_000

interface Entry {
  content: string
  until: number
}

/** Records of a single server: a restart ends pending logins. */
export class LocalLoginRecords implements LoginRecords {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  put(id: string, content: string, until: number): Promise<void> {
    this.#dropOld()
    this.#entries.set(id, { content, until })
    return Promise.resolve()
  }

  take(id: string): Promise<string | undefined> {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    const isValid = entry !== undefined && entry.until > this.#clock.now()
    return Promise.resolve(isValid ? entry.content : undefined)
  }

  async use(id: string, until: number): Promise<boolean> {
    if (this.#entries.has(id)) return false
    await this.put(id, '', until)
    return true
  }

  #dropOld(): void {
    const now = this.#clock.now()
    // Oldest first: records of one purpose have about the same lifetime.
    for (const [id, { until }] of this.#entries) {
      if (until > now && this.#entries.size < maxRecords) return
      this.#entries.delete(id)
    }
  }
}
