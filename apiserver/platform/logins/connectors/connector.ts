import type { ExternalIdentity } from '../users/externalIdentity.ts'
import type { ProviderFetch } from './providerFetch.ts'

export interface LoginStart {
  /** Redirect target of the browser. */
  redirect: string
  /** State for finish(). */
  kept: unknown
  /**
   * True if the response is a form posted by another site, for which the browser only sends cookies with SameSite=None.
   */
  isPosted?: boolean
}

/** The request with which the browser returns. */
export interface LoginReturn {
  /** The whole URL, with its query. */
  url: URL
  /** Fields of the posted form; empty for a GET. */
  form: URLSearchParams
  kept: unknown
}

/** A login method through a provider. Errors other than StatusError are the provider's. */
export interface Connector {
  id: string
  displayName: string
  start(state: string): Promise<LoginStart>
  /**
   * Finishes a login. @throws StatusError Unauthorized for an invalid response; Forbidden for a user that may not log
   * in.
   */
  finish(login: LoginReturn): Promise<ExternalIdentity>
  /**
   * Requests the user's current identity from the provider. Absent: the provider cannot be asked without the user.
   * @param connectorData data from `finish`, or from the last call of `keep`.
   * @param keep stores the data for the next call, as soon as it is known: the current data may be used up.
   * @returns undefined: the connector data allows no request.
   * @throws StatusError Unauthorized, Forbidden for a user that may no longer log in.
   */
  refresh?(
    connectorData: string,
    keep: (connectorData: string) => Promise<void>,
  ): Promise<ExternalIdentity | undefined>
  /** Redirect target of a logout; undefined: none. */
  logoutUrl?(): Promise<string | undefined>
}

export interface ConnectorOptions {
  id: string
  displayName: string
  /** Redirect URI for the provider. */
  redirectUri: string
  fetch: ProviderFetch
}

/** Settings common to all OAuth 2.0 providers. */
export interface ClientSettings {
  clientId?: string
  clientSecret?: string
  redirectURI?: string
}
