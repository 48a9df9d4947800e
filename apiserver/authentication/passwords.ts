import type { Random } from '../meta/clock.ts'
import { tooManyRequests } from '../meta/statusErrors.ts'
import { matchPassword, passwordHash, saltBytes, type PasswordMatch } from './passwordHash.ts'

/** Each takes 16 MiB and a thread of the pool, which files and names are looked up with too. */
const maxRunning = 2
/** About five seconds of waiting. */
const maxWaiting = 50

/** Hashes passwords, a few at a time. Who comes when too many wait is told to come again. */
export class Passwords {
  readonly #random: Random
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(random: Random) {
    this.#random = random
  }

  /** What is stored of a password. @throws StatusError TooManyRequests. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => passwordHash(password, this.#random.bytes(saltBytes)))
  }

  /** @param stored undefined: there is none; it takes as long to say so. @throws StatusError TooManyRequests. */
  match(password: string, stored: string | undefined): Promise<PasswordMatch> {
    return this.#inTurn(() => matchPassword(password, stored ?? ''))
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < maxRunning) {
      this.#running++
      return
    }
    if (this.#waiting.length >= maxWaiting) {
      throw tooManyRequests('too many logins at once, please try again later', 5)
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** The place goes to the next without being free in between. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next()
  }
}
