import type { Clock } from '../../../meta/clock.ts'

interface Bucket {
  tokens: number
  /** Time of the last refill, in milliseconds. */
  at: number
}

export interface BucketOptions {
  /** Tokens added per second. */
  qps: number
  /** Maximum and initial number of tokens. */
  burst: number
  /** Maximum number of buckets, at least 1; the least recently used bucket is dropped first. */
  cacheSize: number
}

/** Token buckets by key. */
export class TokenBuckets {
  readonly #options: BucketOptions
  readonly #clock: Clock
  /** Buckets, least recently used first. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: BucketOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  /** Takes a token; false: the bucket is empty. */
  take(key: string): boolean {
    const { qps, burst, cacheSize } = this.#options
    const now = this.#clock.now()
    const { tokens, at } = this.#buckets.get(key) ?? { tokens: burst, at: now }
    // A clock that was set back adds no tokens.
    const filled = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * qps)
    const isTaken = filled >= 1
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: isTaken ? filled - 1 : filled, at: now })
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= cacheSize) break
      this.#buckets.delete(oldest)
    }
    return isTaken
  }
}
