import type * as OpenId from 'openid-client'
import type { Clock } from '../../../meta/clock.ts'
import type { ExternalIdentity } from '../users/externalIdentity.ts'
import {
  finishCodeFlow,
  openId,
  startCodeFlow,
  type CodeFlowOptions,
  type Tokens,
} from './codeFlow.ts'
import type { Connector, ConnectorOptions, LoginReturn } from './connector.ts'
import { discovered } from './oidcDiscovery.ts'
import type { ProviderFetch } from './providerFetch.ts'
import { oidcIdentity } from './oidcIdentity.ts'
import type { OidcSettings } from './oidcSettings.ts'
import { refreshedTokens, type KeptTokens } from './refreshedTokens.ts'
import type { Claims } from './identityClaims.ts'

export interface OidcConnectorOptions extends ConnectorOptions {
  settings: OidcSettings
  clock: Clock
  /** Additional parameters of the authorization URL. Default: none. */
  parameters?: Readonly<Record<string, string>>
  /** Rejects users by their claims, and may add groups. Default: accepts all. */
  restrict?: (claims: Claims) => Promise<Claims>
}

/** Login through an OpenID provider. */
export class OidcConnector implements Connector {
  readonly id: string
  readonly displayName: string
  readonly #options: OidcConnectorOptions
  readonly #flow: CodeFlowOptions

  constructor(options: OidcConnectorOptions) {
    this.id = options.id
    this.displayName = options.displayName
    this.#options = options
    const { scopes = [], resource } = options.settings
    const asked = scopes.length > 0 ? scopes : ['email', 'profile']
    this.#flow = {
      ...options,
      configuration: discovered(options),
      scope: [...new Set(['openid', ...asked])].join(' '),
      ...(resource === undefined ? {} : { tokenParameters: { resource } }),
      isOpenId: true,
    }
  }

  start(state: string) {
    return startCodeFlow(state, this.#flow)
  }

  async finish(login: LoginReturn): Promise<ExternalIdentity> {
    const tokens = await finishCodeFlow(login, this.#flow)
    const claims = await this.claimsOf(tokens.claims() ?? { sub: '' }, tokens)
    const { refresh_token: refreshToken, id_token: idToken } = tokens
    return { ...this.identityOf(claims), connectorData: kept({ refreshToken, idToken }) }
  }

  async refresh(
    connectorData: string,
    keep: (connectorData: string) => Promise<void>,
  ): Promise<ExternalIdentity | undefined> {
    // Sound: stored by finish(), or below.
    const before = JSON.parse(connectorData) as KeptTokens
    const { resource } = this.#options.settings
    const found = await refreshedTokens(before, {
      configuration: await this.#flow.configuration(),
      parameters: resource === undefined ? {} : { resource },
      displayName: this.displayName,
    })
    if (found === undefined) return undefined
    const { claims, tokens, isWhole } = found
    await keep(kept(found.kept))
    const all = await this.claimsOf(claims, tokens, !isWhole)
    return this.identityOf(all)
  }

  async logoutUrl(): Promise<string | undefined> {
    const client = await openId()
    const configuration = await this.#flow.configuration()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
    const { postLogoutRedirectURI: back } = this.#options.settings
    const parameters = back === undefined ? {} : { post_logout_redirect_uri: back }
    return client.buildEndSessionUrl(configuration, parameters).href
  }

  configuration(): Promise<OpenId.Configuration> {
    return this.#flow.configuration()
  }

  get fetch(): ProviderFetch {
    return this.#options.fetch
  }

  /**
   * Claims of a verified ID token, merged with those of the user info endpoint if needed.
   * @param isOld true if the ID token is from an earlier login, so that the endpoint takes precedence.
   */
  async claimsOf(
    idToken: Claims & { sub: string },
    { access_token: accessToken }: Pick<Tokens, 'access_token'>,
    isOld = false,
  ): Promise<Claims> {
    const { settings, restrict } = this.#options
    let claims: Claims = idToken
    const configuration = await this.#flow.configuration()
    const hasInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
    if (settings.getUserInfo === true || (isOld && hasInfo)) {
      const client = await openId()
      const info = await client.fetchUserInfo(configuration, accessToken, idToken.sub)
      claims = isOld ? { ...idToken, ...info } : { ...info, ...idToken }
    }
    return restrict === undefined ? claims : restrict(claims)
  }

  /** The identity in the claims. @throws StatusError Forbidden for a user that may not log in. */
  identityOf(claims: Claims): ExternalIdentity {
    return oidcIdentity(claims, this.#options.settings, this.id)
  }
}

function kept(tokens: KeptTokens): string {
  return JSON.stringify(tokens)
}
