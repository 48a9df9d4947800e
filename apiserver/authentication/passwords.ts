import type { Random } from '../meta/clock.ts'
import { tooManyRequests } from '../meta/statusErrors.ts'
import { matchPassword, passwordHash, saltBytes, type PasswordMatch } from './passwordHash.ts'

/** Each takes 16 MiB and a thread of the pool, which files and names are looked up with too. */
const maxRunning = 2
/** About five seconds of waiting. */
const maxWaiting = 50
/** Of one holder, and of all when each has one. */
const maxOfHolder = 10
const maxWithOne = 500

/** Hashes passwords, a few at a time. Those that wait get their turn holder by holder, as an address or an account is one:
 *  who lets many wait holds up nobody else. Who comes when too many wait is told to come again. */
export class Passwords {
  readonly #random: Random
  /** The holder whose turn is next stands first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #count = 0
  #running = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** What is stored of a password. @throws StatusError TooManyRequests. */
  hash(password: string, holder = ''): Promise<string> {
    return this.#inTurn(holder, () => passwordHash(password, this.#random.bytes(saltBytes)))
  }

  /** @param stored undefined: there is none; it takes as long to say so. @throws StatusError TooManyRequests. */
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

  /** The place goes to the next without being free in between. */
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
