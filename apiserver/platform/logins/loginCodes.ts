import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../../meta/clock.ts'
import { brokenLogin } from './loginRefusals.ts'
import type { ExternalIdentity } from './users/externalIdentity.ts'

const lifeMs = 5 * 60 * 1000
/** Maximum number of pending codes; beyond that the oldest is dropped. */
const maxCodes = 10_000

/** The user of a successful login. */
export interface LoggedIn {
  user: string
  identity?: ExternalIdentity
}

interface Entry {
  login: LoggedIn
  challenge: string
  until: number
}

/**
 * Codes, each valid once, of logins that a command-line client or a tab of the console began. A browser brings a code to
 * it, and it exchanges the code for an access key with the secret behind its challenge: a code alone is worthless, so it
 * may stand in an address. Kept in memory for five minutes. Source: RFC 6749, 4.1; RFC 7636 with S256.
 */
export class LoginCodes {
  readonly #clock: Clock
  readonly #random: Random
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** A new code for a login that a client with this challenge asked for. */
  issue(login: LoggedIn, challenge: string): string {
    this.#dropOld()
    const code = this.#random.bytes(20).toString('base64url')
    this.#entries.set(code, { login, challenge, until: this.#clock.now() + lifeMs })
    return code
  }

  /** Uses up a code, whatever the result. @throws StatusError Unauthorized. */
  take(code: string, verifier: string): LoggedIn {
    const entry = this.#entries.get(code)
    this.#entries.delete(code)
    if (entry === undefined || entry.until <= this.#clock.now())
      throw brokenLogin('this code is not known any more: it was used, or took too long')
    const hash = createHash('sha256').update(verifier).digest('base64url')
    if (!timingSafeEqual(Buffer.from(hash), Buffer.from(entry.challenge)))
      throw brokenLogin('this code is for another client; please start again')
    return entry.login
  }

  #dropOld(): void {
    const now = this.#clock.now()
    // Oldest first, since all have the same lifetime.
    for (const [code, entry] of this.#entries) {
      if (entry.until > now && this.#entries.size < maxCodes) return
      this.#entries.delete(code)
    }
  }
}
