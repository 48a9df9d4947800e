import { withScopeShown } from '../scopeExtra.ts'
import type {
  AuthorizationAttributes,
  AuthorizationDecision,
} from '../../authorization/authorizer.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { DelegateClient } from './delegateClient.ts'
import { ExpiringCache } from './expiringCache.ts'
import { withRetries } from './withRetries.ts'

export interface DelegatedRightsOptions {
  client: Pick<DelegateClient, 'call' | 'closed'>
  /** Time in milliseconds to cache "authorized" and "denied" decisions; 0 disables the cache. */
  allowedTtlMs: number
  deniedTtlMs: number
  names: NamesProfile
  clock: Clock
  random: Random
}

const apiVersion = 'authorization.k8s.io/v1'
const path = `/apis/${apiVersion}/subjectaccessreviews`
const maxEntries = 8_192
/** Limits the memory used by keys, whose content clients choose. */
const maxKeptLength = 10_000

/** Authorizes requests through another API server. Source: reference 7.7, 7.9. */
export class DelegatedRights {
  readonly #options: DelegatedRightsOptions
  readonly #cache: ExpiringCache<AuthorizationDecision>

  constructor(options: DelegatedRightsOptions) {
    this.#options = options
    this.#cache = new ExpiringCache(options.clock, maxEntries)
  }

  /** Authorizes a request. @throws Error if the other server cannot decide. */
  readonly authorize = (request: AuthorizationAttributes): Promise<AuthorizationDecision> => {
    const spec = specOf(request, this.#options.names)
    const { allowedTtlMs, deniedTtlMs } = this.#options
    return this.#cache.get(
      JSON.stringify(spec),
      () => this.#review(spec),
      ({ allowed }) => (isKept(request) ? (allowed ? allowedTtlMs : deniedTtlMs) : 0),
    )
  }

  async #review(spec: object): Promise<AuthorizationDecision> {
    const body = { kind: 'SubjectAccessReview', apiVersion, spec }
    const { client } = this.#options
    const answer = await withRetries(() => client.call({ method: 'POST', path, body }), {
      ...this.#options,
      closed: client.closed,
    })
    const status = isObject(answer['status']) ? answer['status'] : {}
    const { allowed, denied, reason } = status
    if (allowed === true && denied === true) {
      throw new Error('webhook subject access review returned both allow and deny response')
    }
    return { allowed: allowed === true, reason: typeof reason === 'string' ? reason : '' }
  }
}

function specOf(request: AuthorizationAttributes, names: NamesProfile): object {
  const { name, uid, groups, extra } = withScopeShown(request.user, names)
  const { verb, isResource, path: asked, namespace, group, version, resource } = request
  const on = { group, version, resource, subresource: request.subresource, name: request.name }
  return {
    ...(isResource
      ? { resourceAttributes: given({ namespace, verb, ...on }) }
      : { nonResourceAttributes: given({ path: asked, verb }) }),
    ...given({ user: name, uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function given(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
}

function isKept(request: AuthorizationAttributes): boolean {
  const { namespace, verb, group, version, resource, subresource, name, path: asked } = request
  const chosen = request.isResource
    ? [namespace, verb, group, version, resource, subresource, name]
    : [asked, verb]
  return chosen.join('').length < maxKeptLength
}
