import type { Clock } from '../../../meta/clock.ts'
import { tooManyRequests } from '../../../meta/statusErrors.ts'
import type { SharedBuckets } from './sharedBuckets.ts'
import { fullBucket, refilled, waitMs, type Allowance, type Bucket } from './tokenBucket.ts'

/**
 * Limits of failed attempts: per address and account, per address, and per account. Successful logins are not counted.
 * One address can make six attempts a minute for one account, and a hundred for all. The limit per account is larger,
 * so that one address cannot lock a user out.
 */
const allowances = {
  pair: { burst: 10, refillMs: 10_000 },
  address: { burst: 100, refillMs: 600 },
  account: { burst: 100, refillMs: 6_000 },
} satisfies Record<string, Allowance>
/** Maximum number of tracked entries of each kind; the least recently used is dropped. */
const maxBuckets = 10_000

type Kind = keyof typeof allowances

export interface LoginThrottleOptions {
  clock: Clock
  /** Counts of all servers that share the storage; undefined: this is the only server. */
  shared?: SharedBuckets | undefined
  /** Subject of the attempts; each subject is counted separately. */
  subject: string
  /** Called with errors of returning attempts. */
  report: (error: unknown) => void
}

/** An attempt that was counted. */
export interface TakenAttempt {
  /** Uncounts the attempt, because it succeeded. Never rejects. */
  putBack(): Promise<void>
}

/**
 * Limits login attempts with token buckets. A server refuses by its own counts first, so that excess attempts write
 * nothing to a shared storage.
 */
export class LoginThrottle {
  readonly #options: LoginThrottleOptions
  readonly #buckets: Record<Kind, Map<string, Bucket>> = {
    pair: new Map(),
    address: new Map(),
    account: new Map(),
  }

  constructor(options: LoginThrottleOptions) {
    this.#options = options
  }

  /**
   * Takes one attempt before its result is known.
   * @param account undefined: the attempt is for no specific account.
   * @throws StatusError TooManyRequests; ServiceUnavailable if the shared storage cannot count it.
   */
  async take(address: string, account?: string): Promise<TakenAttempt> {
    const wanted = bucketsOf(networkOf(address), account?.toLowerCase())
    const own = wanted.map(([kind, name]) => this.#bucket(kind, name))
    refuse(Math.max(...own.map((bucket, at) => waitMs(bucket, allowanceOf(wanted, at)))))
    for (const bucket of own) bucket.left--
    const putBack = () => {
      for (const bucket of own) bucket.left++
    }
    try {
      await this.#takeShared(wanted)
    } catch (error) {
      putBack()
      throw error
    }
    return {
      putBack: () => {
        putBack()
        return this.#giveBack(wanted)
      },
    }
  }

  async #takeShared(wanted: readonly [Kind, string][]): Promise<void> {
    const { shared } = this.#options
    if (shared === undefined) return
    const taken: [Kind, string][] = []
    try {
      for (const [kind, name] of wanted) {
        refuse(await shared.take(this.#sharedName(kind, name), allowances[kind]))
        taken.push([kind, name])
      }
    } catch (error) {
      await this.#giveBack(taken)
      throw error
    }
  }

  async #giveBack(taken: readonly [Kind, string][]): Promise<void> {
    const { shared, report } = this.#options
    if (shared === undefined) return
    const giving = taken.map(([kind, name]) =>
      shared.giveBack(this.#sharedName(kind, name), allowances[kind]),
    )
    await Promise.all(giving).catch(report)
  }

  #sharedName(kind: Kind, name: string): string {
    return `${this.#options.subject} ${kind} ${name}`
  }

  #bucket(kind: Kind, key: string): Bucket {
    const buckets = this.#buckets[kind]
    const now = this.#options.clock.now()
    const bucket = buckets.get(key) ?? fullBucket(allowances[kind], now)
    Object.assign(bucket, refilled(bucket, allowances[kind], now))
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? '')
    return bucket
  }
}

function allowanceOf(wanted: readonly [Kind, string][], at: number): Allowance {
  return allowances[wanted[at]?.[0] ?? 'pair']
}

/** Buckets of an attempt, the account first: if two servers count the same attempt, the narrowest limit decides. */
function bucketsOf(network: string, name: string | undefined): [Kind, string][] {
  const ofAddress: [Kind, string] = ['address', network]
  if (name === undefined) return [ofAddress]
  return [['pair', `${network} ${name}`], ofAddress, ['account', name]]
}

/** Refuses an attempt. @throws StatusError TooManyRequests unless the wait is 0. */
function refuse(wait: number): void {
  if (wait <= 0) return
  const seconds = Math.ceil(wait / 1000)
  throw tooManyRequests('too many login attempts, please try again later', seconds)
}

/** The network of an address: a subscriber has a whole /64 of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
