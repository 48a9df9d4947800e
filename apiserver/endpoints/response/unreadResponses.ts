/**
 * The share of memory reserved for users with less than a tenth of it, so that one user's unread
 * responses cannot block all others.
 */
const othersShare = 0.1

interface Held {
  /** First user to whom it was sent. */
  user: string
  /** Number of responses that share it. */
  answers: number
}

/**
 * Large responses that clients have not read yet. Without a limit, a client that does not read
 * would fill the server's memory. Shared parts count once.
 */
export class UnreadAnswers {
  readonly #maxBytes: number
  readonly #byUser = new Map<string, number>()
  readonly #held = new Map<Buffer, Held>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Counts `parts`, and `more` bytes, until the returned function is called. Undefined: the limit is reached, and
   * nothing is counted.
   */
  hold(
    user: string,
    parts: readonly Buffer[],
    { more = 0, always = false }: { more?: number; always?: boolean } = {},
  ): (() => void) | undefined {
    const added = parts.reduce((sum, part) => sum + (this.#held.has(part) ? 0 : part.length), more)
    if (added > 0 && !always && !this.hasRoom(user)) return undefined
    this.#count(user, more)
    for (const part of parts) this.#hold(user, part)
    return () => {
      this.#count(user, -more)
      for (const part of parts) this.#letGo(part)
    }
  }

  /** Reports whether another response of the user may be created. */
  hasRoom(user: string): boolean {
    const free = this.#maxBytes - this.#bytes
    const reserved = this.#maxBytes * othersShare
    return free > reserved || (free > 0 && (this.#byUser.get(user) ?? 0) < reserved)
  }

  #hold(user: string, part: Buffer): void {
    const held = this.#held.get(part)
    if (held !== undefined) {
      held.answers++
      return
    }
    this.#held.set(part, { user, answers: 1 })
    this.#count(user, part.length)
  }

  #letGo(part: Buffer): void {
    const held = this.#held.get(part)
    if (held === undefined || --held.answers > 0) return
    this.#held.delete(part)
    this.#count(held.user, -part.length)
  }

  #count(user: string, change: number): void {
    this.#bytes += change
    const bytes = (this.#byUser.get(user) ?? 0) + change
    if (bytes === 0) this.#byUser.delete(user)
    else this.#byUser.set(user, bytes)
  }
}
