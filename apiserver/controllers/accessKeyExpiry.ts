import type { Clock, Timer } from '../meta/clock.ts'
import { hasReason } from '../meta/status.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

/** A key with its expiry in milliseconds since the epoch; Infinity: never. */
export interface ExpiringKey {
  name: string
  uid: string
  expiresAt: number
}

export interface AccessKeyExpiryOptions {
  keys: Store
  clock: Clock
  /** Called with errors of deletions. */
  report: (error: unknown) => void
  /** The current expiry of each key. */
  expiries: () => Iterable<ExpiringKey>
  /**
   * The current expiry of a key; undefined: the key does not exist. Called after each change of a
   * key.
   */
  expiry: (name: string) => ExpiringKey | undefined
  /** Called for each expired key before it is deleted, since its object may stay for a while. */
  ended: (name: string) => void
}

const retryMs = 60_000

/** Deletes expired access keys. It sleeps until the next expiry. */
export class AccessKeyExpiry {
  readonly #options: AccessKeyExpiryOptions
  readonly #deleting = new Set<string>()
  #timer: Timer | undefined
  #wakesAt = Infinity
  #stop: (() => void) | undefined

  constructor(options: AccessKeyExpiryOptions) {
    this.#options = options
  }

  /** Follows the keys from then on. */
  async start(): Promise<void> {
    const { cache, keyPrefix } = this.#options.keys
    await cache.warm()
    this.#stop = cache.onChange(({ key }) => this.#changed(key.slice(keyPrefix.length)))
    this.check()
  }

  stop(): void {
    this.#stop?.()
    this.#timer?.cancel()
  }

  /** Checks all keys, at an expiry or after a change that affects all of them. */
  check(): void {
    const { clock, expiries } = this.#options
    const now = clock.now()
    let next = Infinity
    for (const key of expiries()) {
      if (key.expiresAt <= now) this.#delete(key)
      else next = Math.min(next, key.expiresAt)
    }
    this.#wakeAt(next)
  }

  #changed(name: string): void {
    const expiresAt = this.#options.expiry(name)?.expiresAt ?? Infinity
    if (expiresAt < this.#wakesAt) this.#wakeAt(expiresAt)
  }

  #wakeAt(moment: number): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#wakesAt = moment
    if (moment === Infinity) return
    const { clock } = this.#options
    this.#timer = clock.setTimer(() => this.check(), Math.max(0, moment - clock.now()))
  }

  #delete({ name, uid }: ExpiringKey): void {
    this.#options.ended(name)
    if (this.#deleting.has(uid)) return
    this.#deleting.add(uid)
    const { keys, report, clock } = this.#options
    void keys
      .delete({ namespace: '', name }, { preconditions: { uid } }, systemContext())
      .catch((error: unknown) => {
        // Another request has already deleted the key.
        if (hasReason(error, 'NotFound', 'Conflict')) return
        report(error)
        const again = clock.now() + retryMs
        if (this.#stop !== undefined && again < this.#wakesAt) this.#wakeAt(again)
      })
      .finally(() => this.#deleting.delete(uid))
  }
}
