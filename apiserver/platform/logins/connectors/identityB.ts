import { sharedTenants } from '../../../apis/management/config/restrictionRules.ts'
import { namedIdentity, type ExternalIdentity } from '../users/externalIdentity.ts'
import { forbiddenLogin } from '../loginRefusals.ts'
import { isAllowed } from '../users/ssoGroups.ts'
import { readJson, readPages, type ApiRequest } from './apiReads.ts'
import { claimsOf, textClaim } from './identityClaims.ts'
import { finishCodeFlow, knownProvider, startCodeFlow, type CodeFlowOptions } from './codeFlow.ts'
import type { ClientSettings, Connector, ConnectorOptions, LoginReturn } from './connector.ts'

/** Settings of the provider. Source: specification, "status.auth", identityB. */
export interface IdentityBSettings extends ClientSettings {
  /** common, consumers, organizations, or the id or name of a tenant. */
  tenant?: string
  groups?: readonly string[]
  onlySecurityGroups?: boolean
  useGroupsAsWhitelist?: boolean
}

export interface IdentityBAddresses {
  /** Address of the login pages; the tenant is appended. */
  url: string
  /** The directory's API, with its version. */
  apiUrl: string
}

/** Maximum number of ids per directory request. */
const namesAtOnce = 1000

/** Login through a directory with tenants. Groups are read from the directory, which returns all of them. */
export class IdentityB implements Connector {
  readonly id: string
  readonly displayName: string
  readonly #options: ConnectorOptions
  readonly #settings: IdentityBSettings
  readonly #apiUrl: string
  readonly #flow: CodeFlowOptions

  constructor(
    options: ConnectorOptions,
    settings: IdentityBSettings,
    addresses: IdentityBAddresses,
  ) {
    this.id = options.id
    this.displayName = options.displayName
    this.#options = options
    this.#settings = settings
    this.#apiUrl = addresses.apiUrl
    this.#flow = {
      ...options,
      configuration: () => this.#configuration(addresses.url),
      scope: this.#hasGroups() ? 'user.read directory.read.all' : 'user.read',
      isOpenId: false,
    }
  }

  async start(state: string) {
    this.#checkRestriction()
    return startCodeFlow(state, this.#flow)
  }

  async finish(login: LoginReturn): Promise<ExternalIdentity> {
    this.#checkRestriction()
    const { access_token: accessToken } = await finishCodeFlow(login, this.#flow)
    const request = { fetch: this.#options.fetch, accessToken }
    const fields = '$select=id,displayName,userPrincipalName'
    const user = claimsOf((await readJson(`${this.#apiUrl}/me?${fields}`, request)).value)
    const userId = textClaim(user, 'id')
    const username = textClaim(user, 'userPrincipalName')
    if (userId === undefined || username === undefined) throw new Error('the user has no id')
    return {
      ...namedIdentity(this.id, userId, username),
      email: username,
      // Statements of arbitrary tenants about their users are not trusted.
      emailVerified: this.#hasGroups(),
      displayName: textClaim(user, 'displayName'),
      groups: this.#hasGroups() ? await this.#groups(request) : [],
    }
  }

  /** Reports whether groups are available: accounts of shared tenants have no directory. */
  #hasGroups(): boolean {
    const { tenant = 'common' } = this.#settings
    return !sharedTenants.includes(tenant)
  }

  /** Refuses logins if the required groups cannot be checked. */
  #checkRestriction(): void {
    const { groups = [] } = this.#settings
    if (groups.length === 0 || this.#hasGroups()) return
    throw forbiddenLogin(
      'the groups of the user cannot be checked: an administrator has to name the tenant, as the shared ones have no groups',
    )
  }

  #configuration(url: string) {
    const { tenant = 'common' } = this.#settings
    const base = `${url}/${encodeURIComponent(tenant)}`
    const server = {
      issuer: base,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
    }
    return knownProvider(server, this.#settings, this.#options)
  }

  async #groups(request: ApiRequest): Promise<string[]> {
    const { groups: allowed = [], onlySecurityGroups, useGroupsAsWhitelist } = this.#settings
    const asked = { securityEnabledOnly: onlySecurityGroups === true }
    const { value } = await readJson(`${this.#apiUrl}/me/getMemberGroups`, request, asked)
    const groups = await this.#names(stringsOf(claimsOf(value)['value']), request)
    if (!isAllowed(groups, allowed)) {
      throw forbiddenLogin('the user is in none of the groups that may log in')
    }
    const isFiltered = useGroupsAsWhitelist === true && allowed.length > 0
    return isFiltered ? groups.filter((group) => allowed.includes(group)) : groups
  }

  async #names(ids: readonly string[], request: ApiRequest): Promise<string[]> {
    const names: string[] = []
    for (let at = 0; at < ids.length; at += namesAtOnce) {
      const asked = { ids: ids.slice(at, at + namesAtOnce), types: ['group'] }
      const url = `${this.#apiUrl}/directoryObjects/getByIds`
      const { value } = await readJson(url, request, asked)
      const first = namedPage(value)
      const more = first.next === undefined ? [] : await readPages(first.next, request, namedPage)
      names.push(...first.items, ...more)
    }
    return names
  }
}

function namedPage(value: unknown): { items: string[]; next: string | undefined } {
  const page = claimsOf(value)
  const entries = Array.isArray(page['value']) ? page['value'].map(claimsOf) : []
  const items = entries.flatMap((entry) => textClaim(entry, 'displayName') ?? [])
  return { items, next: textClaim(page, '@odata.nextLink') }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
