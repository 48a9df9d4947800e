import { unauthorized } from '../../../meta/statusErrors.ts'
import { namedIdentity, type ExternalIdentity } from '../users/externalIdentity.ts'
import { claimsOf, textClaim, type Claims } from './identityClaims.ts'
import { providerFetch, type ProviderFetch } from './providerFetch.ts'

/** Settings of the cluster manager. Source: specification, "status.auth", clusterManager. */
export interface ClusterManagerSettings {
  /** Host with or without a scheme. */
  host?: string
  /** Name and secret of a token that may read users, joined. */
  bearerToken?: string
  insecure?: boolean
}

/**
 * Login through a cluster manager: a token of one of its users authenticates that user. The platform's own token is
 * then used to check that the account is active there.
 */
export class ClusterManager {
  readonly id: string
  readonly #url: string
  readonly #token: string
  readonly #fetch: ProviderFetch

  constructor(id: string, { host = '', bearerToken = '', insecure }: ClusterManagerSettings) {
    this.id = id
    this.#url = (host.includes('://') ? host : `https://${host}`).replace(/\/+$/, '')
    this.#token = bearerToken
    this.#fetch = providerFetch({ insecure })
  }

  /**
   * The identity of a token. @throws StatusError Unauthorized; Error if the cluster manager does not respond as
   * expected.
   */
  async identity(token: string): Promise<ExternalIdentity> {
    const [own] = entries(await this.#read('/v3/users?me=true', token))
    const userId = own && textClaim(own, 'id')
    if (userId === undefined)
      throw unauthorized('the token does not belong to a user of the cluster manager')
    const account = claimsOf(
      await this.#read(`/v3/users/${encodeURIComponent(userId)}`, this.#token),
    )
    if (account['enabled'] === false) {
      throw unauthorized('the user is disabled at the cluster manager')
    }
    const username = textClaim(account, 'username') ?? userId
    return {
      ...namedIdentity(this.id, userId, username),
      displayName: textClaim(account, 'name'),
    }
  }

  async #read(path: string, token: string): Promise<unknown> {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const response = await this.#fetch(`${this.#url}${path}`, { headers })
    if (response.status === 401 && token !== this.#token) {
      throw unauthorized('the cluster manager does not know the token')
    }
    if (!response.ok) throw new Error(`${this.#url}${path} answers ${response.status}`)
    return response.json()
  }
}

function entries(value: unknown): Claims[] {
  const { data } = claimsOf(value)
  return Array.isArray(data) ? data.map(claimsOf) : []
}
