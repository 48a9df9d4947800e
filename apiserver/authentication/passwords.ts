import type { Random } from '../meta/clock.ts'
import { tooManyRequests } from '../meta/statusErrors.ts'
import { matchPassword, passwordHash, saltBytes, type PasswordMatch } from './passwordHash.ts'

/**
 * Maximum concurrent hashes; each takes 16 MiB and a thread of the pool that is also used for files
 * and name look-ups.
 */
const maxRunning = 2
/** Maximum queue length, which takes about five seconds to process. */
const maxWaiting = 50
/** Maximum queue length of one holder, and of all holders if each has one entry. */
const maxOfHolder = 10
const maxWithOne = 500

/**
 * Hashes passwords with limited concurrency. Waiting requests are served round-robin by holder,
 * such as an address or an account, so that a holder with many requests does not delay the others.
 * Requests beyond the queue limit are refused.
 */
export class Passwords {
  readonly #random: Random
  /** Waiting requests by holder, next holder first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #count = 0
  #running = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** The stored form of a password. @throws StatusError TooManyRequests. */
  hash(password: string, holder = ''): Promise<string> {
    return this.#inTurn(holder, () => passwordHash(password, this.#random.bytes(saltBytes)))
  }

  /**
   * Compares a password with a stored form. @param stored undefined: there is no password, which
   * takes equally long to reject.
   * @throws StatusError TooManyRequests.
   */
  match(password: string, stored: string | undefined, holder = ''): Promise<PasswordMatch> {
    return this.#inTurn(holder, () => matchPassword(password, stored ?? ''))
  }

  async #inTurn<T>(holder: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(holder)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(holder: string): Promise<void> {
    if (this.#running < maxRunning) {
      this.#running++
      return
    }
    const own = this.#waiting.get(holder) ?? []
    if (own.length >= maxOfHolder || this.#count >= (own.length === 0 ? maxWithOne : maxWaiting)) {
      throw tooManyRequests('too many logins at once, please try again later', 5)
    }
    this.#count++
    this.#waiting.set(holder, own)
    await new Promise<void>((resolve) => own.push(resolve))
  }

  /** Passes the slot directly to the next waiting request. */
  #leave(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#running--
      return
    }
    const [holder, own] = first
    this.#count--
    const next = own.shift()
    this.#waiting.delete(holder)
    if (own.length > 0) this.#waiting.set(holder, own)
    next?.()
  }
}
