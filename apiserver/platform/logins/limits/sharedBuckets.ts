import { hash } from 'node:crypto'
import type { Clock } from '../../../meta/clock.ts'
import { toStatusError } from '../../../registry/storageErrors.ts'
import { StorageError } from '../../../storage/errors.ts'
import type { Storage } from '../../../storage/storage.ts'
import { expiringPrefix, expiringTemplate, readExpiring } from '../../replicas/expiringValues.ts'
import { fullBucket, refilled, waitMs, type Allowance, type Bucket } from './tokenBucket.ts'

/**
 * Token buckets in a storage that several servers share: every attempt changes a bucket at its revision, so an attempt
 * counts once, whichever server handles it.
 */
export class SharedBuckets {
  readonly #storage: Storage
  readonly #clock: Clock

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  /** Takes a token. Returns 0, or the time until the next token. @throws StatusError 503, 429. */
  async take(name: string, allowance: Allowance): Promise<number> {
    return this.#change(name, allowance, (bucket) => {
      const wait = waitMs(bucket, allowance)
      if (wait > 0) return wait
      bucket.left--
      return 0
    })
  }

  /** Returns a token. @throws StatusError 503, 429. */
  async giveBack(name: string, allowance: Allowance): Promise<void> {
    await this.#change(name, allowance, (bucket) => {
      bucket.left = Math.min(allowance.burst, bucket.left + 1)
      return 0
    })
  }

  /**
   * Applies a change, and retries if another server was faster. A result other than 0 changes
   * nothing.
   */
  async #change(
    name: string,
    allowance: Allowance,
    change: (bucket: Bucket) => number,
  ): Promise<number> {
    const key = `${expiringPrefix}attempts/${hash('sha256', name)}`
    for (;;) {
      const now = this.#clock.now()
      const stored = this.#storage.newest(key)
      // Sound: only this class writes there.
      const kept = stored && (JSON.parse(readExpiring(stored).content) as Bucket)
      const bucket = refilled(kept ?? fullBucket(allowance, now), allowance, now)
      const result = change(bucket)
      if (result !== 0) return result
      const until = bucket.at + allowance.burst * allowance.refillMs
      const template = expiringTemplate(JSON.stringify(bucket), until)
      try {
        if (stored === undefined) await this.#storage.create(key, template)
        else await this.#storage.update(key, template, stored.revision)
        return 0
      } catch (error) {
        if (!isRace(error)) throw toStatusError(error, { group: '', resource: '' }, '')
      }
    }
  }
}

function isRace(error: unknown): boolean {
  const codes = ['KeyExists', 'KeyNotFound', 'RevisionConflict']
  return error instanceof StorageError && codes.includes(error.code)
}
