import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock, Random } from '../../meta/clock.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'
import { brokenLogin } from './loginRefusals.ts'
import type { LoginTarget } from './loginTarget.ts'

/** Time that a user has at the provider. */
const lifeMs = 10 * 60 * 1000
/** Maximum number of pending logins; beyond that the oldest is dropped. */
const maxPending = 10_000
/** Maximum number per address, so that one address cannot displace the others. */
const maxOfAddress = 1_000

/** A login that waits for the browser to return. */
export interface PendingLogin {
  connector: string
  /** State of the connector. */
  kept: unknown
  /** Continuation of the login. */
  target: LoginTarget
  /** Address that started it. */
  address: string
}

/** Values that the browser receives at the start, and has to bring back. */
export interface StartedLogin {
  /** Passed through the provider. */
  state: string
  /** Kept in a cookie of the browser that started the login: others cannot be lured into finishing it. */
  browserSecret: string
}

interface Entry extends PendingLogin {
  browserHash: Buffer
  until: number
}

/**
 * Logins in progress at a provider: each allows one return, within ten minutes, by the browser that started it. They
 * are kept in memory: a login interrupted by a restart starts over.
 */
export class PendingLogins {
  readonly #clock: Clock
  readonly #random: Random
  readonly #entries = new Map<string, Entry>()
  readonly #ofAddress = new Map<string, number>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** Generates the values of a new login. */
  names(): StartedLogin {
    return { state: this.#secret(), browserSecret: this.#secret() }
  }

  /** Adds a login. @throws StatusError TooManyRequests. */
  add({ state, browserSecret }: StartedLogin, login: PendingLogin): void {
    this.#dropOld()
    const begun = this.#ofAddress.get(login.address) ?? 0
    if (begun >= maxOfAddress)
      throw tooManyRequests('too many logins were started from this address', 60)
    this.#ofAddress.set(login.address, begun + 1)
    const until = this.#clock.now() + lifeMs
    this.#entries.set(state, { ...login, until, browserHash: digest(browserSecret) })
  }

  /** Removes a pending login, whatever its result. @throws StatusError Unauthorized. */
  take(state: string, connector: string, browserSecret: string): PendingLogin {
    const entry = this.#entries.get(state)
    if (entry !== undefined) this.#remove(state, entry)
    if (entry === undefined || entry.until <= this.#clock.now() || entry.connector !== connector) {
      throw brokenLogin(
        'this login is not known any more: it was used, or took too long; please begin again',
      )
    }
    if (!timingSafeEqual(entry.browserHash, digest(browserSecret))) {
      throw brokenLogin('this login was started in another browser; please start again')
    }
    return entry
  }

  #secret(): string {
    return this.#random.bytes(32).toString('base64url')
  }

  #dropOld(): void {
    const now = this.#clock.now()
    // Oldest first, since all have the same lifetime.
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
