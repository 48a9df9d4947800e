import type { Clock } from '../../meta/clock.ts'
import { tooManyRequests } from '../../meta/statusErrors.ts'

interface Allowance {
  /** So many at once. */
  burst: number
  /** One more after each of these. */
  refillMs: number
}

/** What an address may do wrong with one account, an address with all of them, and all addresses with one account. Right
 *  logins cost nothing. Guessing a password from one address goes on with six tries a minute for one account, and a
 *  hundred for all of them. The last allowance is larger than the first: nobody shuts a user out from one address. */
const perPair: Allowance = { burst: 10, refillMs: 10_000 }
const perAddress: Allowance = { burst: 100, refillMs: 600 }
const perAccount: Allowance = { burst: 100, refillMs: 6_000 }
/** As many are remembered of each; the one that was used longest ago is forgotten first. */
const maxBuckets = 10_000

interface Bucket {
  left: number
  at: number
}

/** Holds back who tries too often: allowances, which fill up with time, bound what is tried. */
export class LoginThrottle {
  readonly #clock: Clock
  readonly #pairs = new Map<string, Bucket>()
  readonly #accounts = new Map<string, Bucket>()
  readonly #addresses = new Map<string, Bucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes one try from the allowances, before it is known whether it is right. Gives the function that puts it back.
   *  @param account undefined: the try is for no certain account. @throws StatusError TooManyRequests. */
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

/** Of IPv6 one subscriber has a whole /64. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
