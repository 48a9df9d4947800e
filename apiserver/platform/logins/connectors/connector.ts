import type { ExternalIdentity } from '../users/externalIdentity.ts'
import type { ProviderFetch } from './providerFetch.ts'

export interface LoginStart {
  /** Where the browser goes. */
  redirect: string
  /** What finish() needs. */
  kept: unknown
  /** The answer comes as a form that another site posts: the browser sends only cookies that say they go with it. */
  isPosted?: boolean
}

/** What the browser brought back. */
export interface LoginReturn {
  /** The whole address, with its query. */
  url: URL
  /** Fields of the posted form; empty for a GET. */
  form: URLSearchParams
  kept: unknown
}

/** One way to log in through a provider. Errors that are no StatusError are the provider's. */
export interface Connector {
  id: string
  displayName: string
  start(state: string): Promise<LoginStart>
  /** @throws StatusError Unauthorized for an answer that is not right; Forbidden for a user that may not log in. */
  finish(login: LoginReturn): Promise<ExternalIdentity>
  /** Asks whom the provider says a user is now. Absent: it cannot be asked without the user.
   *  @param connectorData what `finish` gave, or the last call of `keep`.
   *  @param keep is told what to ask with the next time, as soon as that is known: what was asked with may be spent.
   *  @returns undefined: the provider gave nothing to ask with.
   *  @throws StatusError Unauthorized, Forbidden for a user that may not log in any more. */
  refresh?(
    connectorData: string,
    keep: (connectorData: string) => Promise<void>,
  ): Promise<ExternalIdentity | undefined>
  /** Where a logout goes on; undefined: nowhere. */
  logoutUrl?(): Promise<string | undefined>
}

export interface ConnectorOptions {
  id: string
  displayName: string
  /** Where the provider sends the browser back to. */
  redirectUri: string
  fetch: ProviderFetch
}

/** Fields that every provider of the OAuth 2.0 kind has. */
export interface ClientSettings {
  clientId?: string
  clientSecret?: string
  redirectURI?: string
}
