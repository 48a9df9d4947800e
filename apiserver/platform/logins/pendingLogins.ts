import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../../meta/clock.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'
import { brokenLogin } from './loginRefusals.ts'
import type { LoginTarget } from './loginTarget.ts'

/** How long a user may take at the provider. */
const lifeMs = 10 * 60 * 1000
/** The oldest is given up for one more. */
const maxPending = 10_000
/** So many can one address have begun, and no address push those of others out. */
const maxOfAddress = 1_000

/** A login that was begun and waits for the browser to come back. */
export interface PendingLogin {
  connector: string
  /** What the connector keeps until then. */
  kept: unknown
  /** Where the login goes on. */
  target: LoginTarget
  /** Where it was begun from. */
  address: string
}

/** What the browser gets at the start, and has to bring back. */
export interface StartedLogin {
  /** Travels through the provider. */
  state: string
  /** Stays in a cookie of the browser that began: nobody can be led into a login that another browser began. */
  browserSecret: string
}

interface Entry extends PendingLogin {
  browserHash: Buffer
  until: number
}

/** Logins on their way through a provider: each is good for one return, within ten minutes, by the browser that began it.
 *  They are kept in memory: a login that a restart interrupts is begun again. */
export class PendingLogins {
  readonly #clock: Clock
  readonly #random: Random
  readonly #entries = new Map<string, Entry>()
  readonly #ofAddress = new Map<string, number>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** Names for a login that is about to begin. */
  names(): StartedLogin {
    return { state: this.#secret(), browserSecret: this.#secret() }
  }

  /** @throws StatusError TooManyRequests. */
  add({ state, browserSecret }: StartedLogin, login: PendingLogin): void {
    this.#dropOld()
    const begun = this.#ofAddress.get(login.address) ?? 0
    if (begun >= maxOfAddress) throw tooManyRequests('too many logins were begun from here', 60)
    this.#ofAddress.set(login.address, begun + 1)
    const until = this.#clock.now() + lifeMs
    this.#entries.set(state, { ...login, until, browserHash: digest(browserSecret) })
  }

  /** Ends the wait, whatever comes of it. @throws StatusError Unauthorized. */
  take(state: string, connector: string, browserSecret: string): PendingLogin {
    const entry = this.#entries.get(state)
    if (entry !== undefined) this.#remove(state, entry)
    if (entry === undefined || entry.until <= this.#clock.now() || entry.connector !== connector) {
      throw brokenLogin(
        'this login is not known any more: it was used, or took too long; please begin again',
      )
    }
    if (!timingSafeEqual(entry.browserHash, digest(browserSecret))) {
      throw brokenLogin('this login was begun in another browser; please begin again')
    }
    return entry
  }

  #secret(): string {
    return this.#random.bytes(32).toString('base64url')
  }

  #dropOld(): void {
    const now = this.#clock.now()
    // Oldest first, since each lives equally long.
    for (const [state, entry] of this.#entries) {
      if (entry.until > now && this.#entries.size < maxPending) return
      this.#remove(state, entry)
    }
  }

  #remove(state: string, { address }: Entry): void {
    this.#entries.delete(state)
    const left = (this.#ofAddress.get(address) ?? 1) - 1
    if (left === 0) this.#ofAddress.delete(address)
    else this.#ofAddress.set(address, left)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
