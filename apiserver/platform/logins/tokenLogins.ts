import { badRequest, unauthorized } from '../../meta/statusErrors.ts'
import type { ConnectorLoginsOptions } from './connectorLogins.ts'
import type { OidcConnector } from './connectors/oidcConnector.ts'
import type { ExternalIdentity } from './users/externalIdentity.ts'
import type { LoginAnswer } from './pages/loginResponse.ts'
import { checkOrigin, type LoginRequest } from './pages/loginRequest.ts'
import { OidcTokens } from './oidcTokens.ts'
import { exchanged, signedIn } from './signedIn.ts'

/** Logins of programs with a token. Each attempt counts until it succeeds. */
export class TokenLogins {
  readonly #options: ConnectorLoginsOptions
  readonly #oidcTokens: OidcTokens

  constructor(options: ConnectorLoginsOptions) {
    this.#options = options
    const { clock, shared } = options.services
    this.#oidcTokens = new OidcTokens(clock, shared.recordsOf('tokens'))
  }

  /**
   * Returns a valid access key as the token: an access key is a bearer token itself.
   * Source: platform facts 4, TokenRequest.
   */
  token(request: LoginRequest): Promise<LoginAnswer> {
    return this.#throttled(request, async (fields) => {
      const { names, authenticate } = this.#options.services
      const key = fields.get('key') ?? ''
      if (authenticate(key) === undefined) {
        throw unauthorized(`${names.platform} access key not found. Please login again`)
      }
      return { code: 200, json: { kind: 'Token', apiVersion: this.#apiVersion(), token: key } }
    })
  }

  /** Exchanges the code of a login for an access key. Source: RFC 6749, 4.1.3; RFC 7636. */
  code(request: LoginRequest): Promise<LoginAnswer> {
    return this.#throttled(request, async (fields) => {
      const { services, codes } = this.#options
      const login = await codes.take(fields.get('code') ?? '', fields.get('code_verifier') ?? '')
      return exchanged(login, services)
    })
  }

  oidcToken(request: LoginRequest): Promise<LoginAnswer> {
    return this.#throttled(request, async (fields) => {
      const connector = this.#oidc(request)
      const token = fields.get('token') ?? ''
      if (token === '') throw badRequest('token is required')
      const accessToken = fields.get('accessToken') ?? ''
      const found = await this.#options.asks.ask(connector.displayName, () =>
        this.#oidcTokens.logIn(connector, token, accessToken),
      )
      return this.#signIn(found, request)
    })
  }

  oidcRefresh(request: LoginRequest): Promise<LoginAnswer> {
    return this.#throttled(request, async (fields) => {
      const connector = this.#oidc(request)
      const tokens = await this.#options.asks.ask(connector.displayName, () =>
        this.#oidcTokens.refresh(connector, fields.get('refreshToken') ?? ''),
      )
      return { code: 200, json: { kind: 'OIDCToken', apiVersion: this.#apiVersion(), ...tokens } }
    })
  }

  /** Logs in with the token of a cluster manager's user. */
  clusterManager(request: LoginRequest): Promise<LoginAnswer> {
    return this.#throttled(request, async (fields) => {
      const manager = this.#options.connectors(request.publicUrl).clusterManager
      if (manager === undefined)
        throw unauthorized('login through a cluster manager is not configured')
      const token = fields.get('token') ?? ''
      if (token === '') throw badRequest('token is required')
      const found = await this.#options.asks.ask(manager.id, () => manager.identity(token))
      return this.#signIn(found, request)
    })
  }

  #oidc({ publicUrl }: LoginRequest): OidcConnector {
    const { oidc } = this.#options.connectors(publicUrl)
    if (oidc === undefined) throw unauthorized('login through an OpenID provider is not configured')
    return oidc
  }

  async #signIn(found: ExternalIdentity, { wantsPage }: LoginRequest): Promise<LoginAnswer> {
    const { services, signOn, codes } = this.#options
    const target = { isCli: false }
    return signedIn(await signOn.logIn(found), services, { wantsPage, target, codes })
  }

  async #throttled(
    request: LoginRequest,
    work: (fields: URLSearchParams) => Promise<LoginAnswer>,
  ): Promise<LoginAnswer> {
    checkOrigin(request)
    const attempt = await this.#options.throttle.take(request.address)
    const answer = await work(await request.fields())
    await attempt.putBack()
    return answer
  }

  #apiVersion(): string {
    return `authentication.${this.#options.services.names.domain}/v1`
  }
}
