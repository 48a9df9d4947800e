import { isObject } from '../../meta/isObject.ts'
import type { ExternalIdentity } from '../externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../ssoGroups.ts'
import { readJson } from './apiReads.ts'
import { listClaim, textClaim, type Claims } from './claims.ts'
import {
  finishCodeFlow,
  knownProvider,
  openId,
  startCodeFlow,
  type CodeFlowOptions,
} from './codeFlow.ts'
import type { ClientSettings, Connector, ConnectorOptions, LoginReturn } from './connector.ts'

/** Source: specification, "status.auth", gitHostB. */
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
    const user = record((await readJson(`${this.#baseUrl}/api/v4/user`, request)).value)
    const info = record((await readJson(`${this.#baseUrl}/oauth/userinfo`, request)).value)
    const userId = textClaim(user, 'id')
    const username = textClaim(user, 'username')
    if (userId === undefined || username === undefined) throw new Error('the user has no id')
    // Both answers are of one token; if they are of two users, something stands between.
    if (textClaim(info, 'sub') !== userId) throw new Error('the answers are about two users')
    const groups = listClaim(info, 'groups')
    if (!isAllowed(groups, this.#settings.groups ?? [])) {
      throw forbiddenLogin('the user is in none of the groups that may log in')
    }
    const email =
      textClaim(user, 'confirmed_at') === undefined ? undefined : textClaim(user, 'email')
    return {
      connector: this.id,
      userId,
      username,
      preferredUsername: username,
      subject: username,
      email,
      emailVerified: email !== undefined,
      displayName: textClaim(user, 'name'),
      icon: textClaim(user, 'avatar_url'),
      groups,
      extraClaims: {},
      connectorData: undefined,
    }
  }

  async #configuration() {
    const client = await openId()
    const { clientId = '', clientSecret = '' } = this.#settings
    const server = {
      issuer: this.#baseUrl,
      authorization_endpoint: `${this.#baseUrl}/oauth/authorize`,
      token_endpoint: `${this.#baseUrl}/oauth/token`,
    }
    return knownProvider(client, server, { clientId, clientSecret, fetch: this.#options.fetch })
  }
}

function record(value: unknown): Claims {
  return isObject(value) ? value : {}
}
