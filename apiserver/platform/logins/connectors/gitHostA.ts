import { namedIdentity, type ExternalIdentity } from '../users/externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import { nextLink, readJson, readPages, type ApiRequest } from './apiReads.ts'
import { claimsOf, textClaim, type Claims } from './identityClaims.ts'
import { finishCodeFlow, knownProvider, startCodeFlow, type CodeFlowOptions } from './codeFlow.ts'
import type { ClientSettings, Connector, ConnectorOptions, LoginReturn } from './connector.ts'

/** Settings of the service. Source: specification, "status.auth", gitHostA. */
export interface GitHostASettings extends ClientSettings {
  orgs?: readonly { name?: string; teams?: readonly string[] }[]
  hostName?: string
  rootCA?: string
}

export interface GitHostAAddresses {
  /** Address of the login pages. */
  url: string
  apiUrl: string
}

interface Team {
  org: string
  /** Name and short name. */
  names: string[]
}

/** Login through a hosted-git service with organizations, which become groups, as do teams: `organization:team`. */
export class GitHostA implements Connector {
  readonly id: string
  readonly displayName: string
  readonly #options: ConnectorOptions
  readonly #settings: GitHostASettings
  readonly #apiUrl: string
  readonly #flow: CodeFlowOptions

  constructor(options: ConnectorOptions, settings: GitHostASettings, addresses: GitHostAAddresses) {
    this.id = options.id
    this.displayName = options.displayName
    this.#options = options
    this.#settings = settings
    this.#apiUrl = addresses.apiUrl
    this.#flow = {
      ...options,
      configuration: () => this.#configuration(addresses.url),
      scope: 'read:user user:email read:org',
      isOpenId: false,
    }
  }

  start(state: string) {
    return startCodeFlow(state, this.#flow)
  }

  async finish(login: LoginReturn): Promise<ExternalIdentity> {
    const { access_token: accessToken } = await finishCodeFlow(login, this.#flow)
    const request = { fetch: this.#options.fetch, accessToken }
    const user = claimsOf((await readJson(`${this.#apiUrl}/user`, request)).value)
    const userId = textClaim(user, 'id')
    const login_ = textClaim(user, 'login')
    if (userId === undefined || login_ === undefined) throw new Error('the user has no id')
    const groups = await this.#groups(request)
    return {
      ...namedIdentity(this.id, userId, login_),
      ...(await this.#email(request)),
      displayName: textClaim(user, 'name'),
      icon: textClaim(user, 'avatar_url'),
      groups,
    }
  }

  #configuration(url: string) {
    const server = {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    }
    return knownProvider(server, this.#settings, this.#options)
  }

  /** The primary verified address; the user's page may show another. */
  async #email(request: ApiRequest) {
    const { value } = await readJson(`${this.#apiUrl}/user/emails`, request)
    const verified = list(value).filter((entry) => entry['verified'] === true)
    const found = verified.find((entry) => entry['primary'] === true) ?? verified[0]
    const email = found && textClaim(found, 'email')
    return { email, emailVerified: email !== undefined }
  }

  async #groups(request: ApiRequest): Promise<string[]> {
    const page = (value: unknown, headers: Headers) => ({
      items: list(value),
      next: nextLink(headers),
    })
    const [orgs, teams] = await Promise.all([
      readPages(`${this.#apiUrl}/user/orgs?per_page=100`, request, page),
      readPages(`${this.#apiUrl}/user/teams?per_page=100`, request, page),
    ])
    const names = orgs.flatMap((org) => textClaim(org, 'login') ?? [])
    return this.#allowed(names, teams.map(teamOf))
  }

  /** The groups of a user; if organizations are configured, only groups within them. */
  #allowed(orgs: readonly string[], teams: readonly Team[]): string[] {
    const { orgs: wanted = [] } = this.#settings
    const groupsOf = (org: string) => [
      org,
      ...teams.filter((team) => same(team.org, org)).map((team) => `${org}:${team.names[0]}`),
    ]
    if (wanted.length === 0) return orgs.flatMap(groupsOf)
    const fitting = wanted.flatMap(({ name = '', teams: chosen = [] }) => {
      const org = orgs.find((own) => same(own, name))
      if (org === undefined) return []
      const own = teams.filter((team) => same(team.org, org))
      const isIn = chosen.some((team) => own.some(({ names }) => names.some((n) => same(n, team))))
      return chosen.length === 0 || isIn ? [org] : []
    })
    if (fitting.length === 0) {
      throw forbiddenLogin('the user is in none of the organizations and teams that may log in')
    }
    return [...new Set(fitting.flatMap(groupsOf))]
  }
}

function teamOf(team: Claims): Team {
  const org = textClaim(claimsOf(team['organization']), 'login') ?? ''
  const names = ['slug', 'name'].flatMap((name) => textClaim(team, name) ?? [])
  return { org, names }
}

/** Reports whether names are equal; they are case-insensitive in the service. */
function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function list(value: unknown): Claims[] {
  return Array.isArray(value) ? value.map(claimsOf) : []
}
