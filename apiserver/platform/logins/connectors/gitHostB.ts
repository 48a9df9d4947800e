import { namedIdentity, type ExternalIdentity } from '../users/externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../users/ssoGroups.ts'
import { readJson } from './apiReads.ts'
import { claimsOf, listClaim, textClaim } from './identityClaims.ts'
import { finishCodeFlow, knownProvider, startCodeFlow, type CodeFlowOptions } from './codeFlow.ts'
import type { ClientSettings, Connector, ConnectorOptions, LoginReturn } from './connector.ts'

/** Settings of the service. Source: specification, "status.auth", gitHostB. */
export interface GitHostBSettings extends ClientSettings {
  baseURL?: string
  groups?: readonly string[]
}

/** Login through a hosted-git service with groups. */
export class GitHostB implements Connector {
  readonly id: string
  readonly displayName: string
  readonly #options: ConnectorOptions
  readonly #settings: GitHostBSettings
  readonly #baseUrl: string
  readonly #flow: CodeFlowOptions

  constructor(options: ConnectorOptions, settings: GitHostBSettings, baseUrl: string) {
    this.id = options.id
    this.displayName = options.displayName
    this.#options = options
    this.#settings = settings
    this.#baseUrl = baseUrl
    this.#flow = {
      ...options,
      configuration: () => this.#configuration(),
      scope: 'read_user openid',
      isOpenId: false,
    }
  }

  start(state: string) {
    return startCodeFlow(state, this.#flow)
  }

  async finish(login: LoginReturn): Promise<ExternalIdentity> {
    const { access_token: accessToken } = await finishCodeFlow(login, this.#flow)
    const request = { fetch: this.#options.fetch, accessToken }
    const user = claimsOf((await readJson(`${this.#baseUrl}/api/v4/user`, request)).value)
    const info = claimsOf((await readJson(`${this.#baseUrl}/oauth/userinfo`, request)).value)
    const userId = textClaim(user, 'id')
    const username = textClaim(user, 'username')
    if (userId === undefined || username === undefined) throw new Error('the user has no id')
    // Both responses are for the same token; different users indicate a man-in-the-middle attack.
    if (textClaim(info, 'sub') !== userId) throw new Error('the answers are about two users')
    const groups = listClaim(info, 'groups')
    if (!isAllowed(groups, this.#settings.groups ?? [])) {
      throw forbiddenLogin('the user is in none of the groups that may log in')
    }
    const email =
      textClaim(user, 'confirmed_at') === undefined ? undefined : textClaim(user, 'email')
    return {
      ...namedIdentity(this.id, userId, username),
      email,
      emailVerified: email !== undefined,
      displayName: textClaim(user, 'name'),
      icon: textClaim(user, 'avatar_url'),
      groups,
    }
  }

  #configuration() {
    const server = {
      issuer: this.#baseUrl,
      authorization_endpoint: `${this.#baseUrl}/oauth/authorize`,
      token_endpoint: `${this.#baseUrl}/oauth/token`,
    }
    return knownProvider(server, this.#settings, this.#options)
  }
}
