import { createHmac } from 'node:crypto'
import { withAuthenticatedGroup } from '../authenticatedGroup.ts'
import { withScopeOfExtra } from '../scopeExtra.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { DelegateClient } from './delegateClient.ts'
import { ExpiringCache } from './expiringCache.ts'
import { withRetries } from './withRetries.ts'

export interface DelegatedTokensOptions {
  client: Pick<DelegateClient, 'call' | 'closed'>
  /** Time in milliseconds to cache a review, whatever its result; 0 disables the cache. */
  ttlMs: number
  names: NamesProfile
  clock: Clock
  random: Random
}

interface Review {
  /** Authenticated user; undefined: not authenticated. */
  user: UserInfo | undefined
  /** True if the other server was able to check the token. */
  isSure: boolean
}

const apiVersion = 'authentication.k8s.io/v1'
const path = `/apis/${apiVersion}/tokenreviews`
const maxEntries = 10_000

/** Authenticates bearer tokens through another API server. Source: reference 7.7, 7.9. */
export class DelegatedTokens {
  readonly #options: DelegatedTokensOptions
  readonly #cache: ExpiringCache<Review>
  /** HMAC key for digests, so that neither tokens nor plain hashes of them are kept. */
  readonly #secret: Buffer

  constructor(options: DelegatedTokensOptions) {
    this.#options = options
    this.#cache = new ExpiringCache(options.clock, maxEntries)
    this.#secret = options.random.bytes(32)
  }

  /**
   * The user of a token; undefined: not authenticated. @throws Error if the other server is
   * unavailable; errors are not cached.
   */
  async authenticate(token: string): Promise<UserInfo | undefined> {
    const key = createHmac('sha256', this.#secret).update(token).digest('base64')
    const { user } = await this.#cache.get(
      key,
      () => this.#review(token),
      ({ isSure }) => (isSure ? this.#options.ttlMs : 0),
    )
    return user
  }

  async #review(token: string): Promise<Review> {
    const { client, names } = this.#options
    const body = { kind: 'TokenReview', apiVersion, spec: { token } }
    const answer = await withRetries(() => client.call({ method: 'POST', path, body }), {
      ...this.#options,
      closed: client.closed,
    })
    const status = isObject(answer['status']) ? answer['status'] : {}
    const isSure = status['error'] === undefined
    const user = status['authenticated'] === true ? userOf(status['user']) : undefined
    return { user: user && withScopeOfExtra(withAuthenticatedGroup(user), names), isSure }
  }
}

function userOf(said: unknown): UserInfo | undefined {
  if (!isObject(said)) return undefined
  const { username, uid, groups, extra } = said
  if (typeof username !== 'string' || username === '') return undefined
  const entries = isObject(extra) ? Object.entries(extra) : []
  return {
    name: username,
    uid: typeof uid === 'string' ? uid : '',
    groups: stringsOf(groups),
    extra: Object.fromEntries(entries.map(([key, values]) => [key, stringsOf(values)])),
  }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
