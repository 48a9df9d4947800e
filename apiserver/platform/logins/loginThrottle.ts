import type { Clock } from '../../meta/clock.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'

interface Allowance {
  /** Number of immediate attempts. */
  burst: number
  /** Time after which one more attempt is available. */
  refillMs: number
}

/**
 * Limits of failed attempts: per address and account, per address, and per account. Successful logins are not counted.
 * One address can make six attempts a minute for one account, and a hundred for all. The limit per account is larger,
 * so that one address cannot lock a user out.
 */
const perPair: Allowance = { burst: 10, refillMs: 10_000 }
const perAddress: Allowance = { burst: 100, refillMs: 600 }
const perAccount: Allowance = { burst: 100, refillMs: 6_000 }
/** Maximum number of tracked entries of each kind; the least recently used is dropped. */
const maxBuckets = 10_000

interface Bucket {
  left: number
  at: number
}

/** Limits login attempts with token buckets. */
export class LoginThrottle {
  readonly #clock: Clock
  readonly #pairs = new Map<string, Bucket>()
  readonly #accounts = new Map<string, Bucket>()
  readonly #addresses = new Map<string, Bucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Takes one attempt before its result is known. Returns a function that gives it back.
   * @param account undefined: the attempt is for no specific account. @throws StatusError TooManyRequests.
   */
  take(address: string, account?: string): () => void {
    const network = networkOf(address)
    const buckets = [this.#bucket(this.#addresses, network, perAddress)]
    if (account !== undefined) {
      const name = account.toLowerCase()
      buckets.push(this.#bucket(this.#pairs, `${network} ${name}`, perPair))
      buckets.push(this.#bucket(this.#accounts, name, perAccount))
    }
    const waits = buckets.map(({ bucket, allowance }) => waitMs(bucket, allowance))
    const longest = Math.max(...waits)
    if (longest > 0) {
      const seconds = Math.ceil(longest / 1000)
      throw tooManyRequests('too many login attempts, please try again later', seconds)
    }
    for (const { bucket } of buckets) bucket.left--
    return () => {
      for (const { bucket } of buckets) bucket.left++
    }
  }

  #bucket(buckets: Map<string, Bucket>, key: string, allowance: Allowance) {
    const now = this.#clock.now()
    const bucket = buckets.get(key) ?? { left: allowance.burst, at: now }
    const gained = Math.max(0, now - bucket.at) / allowance.refillMs
    bucket.left = Math.min(allowance.burst, bucket.left + gained)
    bucket.at = now
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? '')
    return { bucket, allowance }
  }
}

function waitMs({ left }: Bucket, { refillMs }: Allowance): number {
  return left >= 1 ? 0 : (1 - left) * refillMs
}

/** The network of an address: a subscriber has a whole /64 of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
