import type { Configuration } from 'openid-client'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../meta/clock.ts'
import { badRequest, unauthorized } from '../../meta/statusErrors.ts'
import { openId } from './connectors/codeFlow.ts'
import type { ProviderFetch } from './connectors/providerFetch.ts'
import type { OidcConnector } from './connectors/oidcConnector.ts'
import type { LoginRecords } from './records/loginRecords.ts'
import type { ExternalIdentity } from './users/externalIdentity.ts'

const algorithms = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((n) => family + n))
const clockToleranceSeconds = 60

/** Logins with tokens that a client obtained from the provider itself. */
export class OidcTokens {
  readonly #clock: Clock
  readonly #keys = new WeakMap<Configuration, JWTVerifyGetKey>()
  /** Marks of used tokens. */
  readonly #records: LoginRecords

  constructor(clock: Clock, records: LoginRecords) {
    this.#clock = clock
    this.#records = records
  }

  /**
   * The identity in an ID token for this server's client. Each token is accepted once.
   * @throws StatusError Unauthorized; Forbidden.
   */
  async logIn(
    connector: OidcConnector,
    token: string,
    accessToken: string,
  ): Promise<ExternalIdentity> {
    const claims = await this.#verified(connector, token)
    const { sub } = claims
    if (sub === undefined) throw unauthorized('the token has no subject')
    const all = await connector.claimsOf({ ...claims, sub }, { access_token: accessToken })
    const identity = connector.identityOf(all)
    await this.#use(token, claims.exp ?? 0)
    return identity
  }

  /** Exchanges a refresh token for new tokens. Source: platform facts 4, OIDCToken. */
  async refresh(connector: OidcConnector, refreshToken: string) {
    if (refreshToken === '') throw badRequest('refreshToken is required')
    const client = await openId()
    const configuration = await connector.configuration()
    try {
      const tokens = await client.refreshTokenGrant(configuration, refreshToken)
      const { id_token: idToken, access_token: accessToken, refresh_token: next } = tokens
      return { idToken, accessToken, refreshToken: next ?? refreshToken }
    } catch (error) {
      if (!(error instanceof client.ResponseBodyError) || error.status >= 500) throw error
      throw unauthorized(`the provider refused the refresh token: ${error.error}`)
    }
  }

  async #verified(connector: OidcConnector, token: string): Promise<JWTPayload> {
    const configuration = await connector.configuration()
    const { client_id: audience } = configuration.clientMetadata()
    const { issuer } = configuration.serverMetadata()
    const { jwtVerify, errors } = await import('jose')
    const keys = await this.#keysOf(configuration, connector.fetch)
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['sub', 'exp', 'iat'],
        currentDate: new Date(this.#clock.now()),
      })
      const isOthers = Array.isArray(payload.aud) && payload.aud.length > 1
      if (isOthers && payload['azp'] !== audience)
        throw unauthorized('the token is for another client')
      return payload
    } catch (error) {
      const isTokens = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
      if (!isTokens) throw error
      throw unauthorized(`invalid token: ${error.message}`)
    }
  }

  async #keysOf(configuration: Configuration, fetch: ProviderFetch): Promise<JWTVerifyGetKey> {
    const known = this.#keys.get(configuration)
    if (known !== undefined) return known
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const { jwks_uri: address = '' } = configuration.serverMetadata()
    const keys = createRemoteJWKSet(new URL(address), { [customFetch]: fetch })
    this.#keys.set(configuration, keys)
    return keys
  }

  async #use(token: string, expiresAtSeconds: number): Promise<void> {
    const until = (expiresAtSeconds + clockToleranceSeconds) * 1000
    if (!(await this.#records.use(token, until)))
      throw unauthorized('the token was already used for a login')
  }
}
