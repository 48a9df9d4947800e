import type { AccessKeyAuthenticator } from '../authentication/accessKeys/accessKeyAuthenticator.ts'
import { formatTime, type Clock, type Timer } from '../meta/clock.ts'
import type { UserInfo } from '../meta/types.ts'
import type { Logger } from '../runtime/logging.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Time before the expiry of the key at which warnings start. */
const noticeMs = 7 * dayMs
const checkEveryMs = 60 * 60 * 1000

interface Options {
  clock: Clock
  log: Logger
}

/**
 * Warns of the expiry of the admin's key: in the log, daily and at each change of the expiry, and in responses to the
 * admin.
 */
export class ExpiringAdminKey {
  readonly #authenticator: AccessKeyAuthenticator
  readonly #options: Options
  #timer: Timer | undefined
  #logged = { end: Infinity, at: 0 }

  constructor({ authenticator }: { authenticator: AccessKeyAuthenticator }, options: Options) {
    this.#authenticator = authenticator
    this.#options = options
  }

  /** Checks the key now and every hour. */
  start(): this {
    this.#log()
    this.#timer = this.#options.clock.setTimer(() => this.start(), checkEveryMs)
    return this
  }

  stop(): void {
    this.#timer?.cancel()
  }

  /** Warning for a user; undefined for other users, and long before the expiry. */
  readonly warningFor = (user: UserInfo): string | undefined => {
    if (!this.#authenticator.isOperator(user)) return undefined
    const end = this.#nearEnd()
    if (end === undefined) return undefined
    this.#log()
    return `this access key expires at ${formatTime(end)}; raise its spec.ttl`
  }

  #nearEnd(): number | undefined {
    const end = this.#authenticator.operatorEndsAt()
    const now = this.#options.clock.now()
    return end > now && end - now <= noticeMs ? end : undefined
  }

  #log(): void {
    const { clock, log } = this.#options
    const end = this.#nearEnd()
    const now = clock.now()
    if (end === undefined || (end === this.#logged.end && now - this.#logged.at < dayMs)) return
    this.#logged = { end, at: now }
    log.warn({ expiresAt: formatTime(end) }, "the admin's access key is about to expire")
  }
}
