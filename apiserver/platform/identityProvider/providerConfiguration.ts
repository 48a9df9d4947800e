import type { JsonWebKey } from 'node:crypto'
import type { Adapter, ClientAuthMethod, Configuration } from 'oidc-provider'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ProviderAccounts } from './accounts.ts'
import { claimsOf, claimsOfScopes, scopes } from './tokenClaims.ts'
import type { ProviderClients } from './clients.ts'
import { grantOf } from './grants.ts'
import { lifetimes } from './lifetimes.ts'
import { errorAnswerPage, loggedOutPage, logoutPage } from './pages.ts'

export interface ConfigurationRequest {
  names: NamesProfile
  accounts: ProviderAccounts
  clients: ProviderClients
  /** Creates the storage of a model. */
  adapterOf: (model: string) => Adapter
  /** Keys with their private parts; the first one signs. */
  keys: readonly JsonWebKey[]
  cookieSecret: string
  /** Maximum duration of a login and of everything derived from it. */
  loginSeconds: number
  interactions: NonNullable<Configuration['interactions']>
}

/** The library's configuration: only the authorization-code flow, and no feature without a setting of the platform. */
export function providerConfiguration(request: ConfigurationRequest): Configuration {
  const { names, accounts, clients, adapterOf, keys, interactions } = request
  return {
    adapter: adapterOf,
    // Sound: JwtKeys returns complete RSA keys.
    jwks: { keys: keys.map((key) => ({ ...key })) },
    cookies: cookies(request),
    interactions,
    findAccount: (_context, id) => {
      const account = accounts.get(id)
      if (account === undefined) return undefined
      return { accountId: account.id, claims: () => Promise.resolve(claimsOf(account, names)) }
    },
    loadExistingGrant: grantOf,
    scopes,
    claims: claimsOfScopes,
    // Clients of clusters only read the ID token.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientAuthMethods,
    // A secret does not prevent injection of a stolen code into another login; PKCE and a nonce do.
    pkce: {
      methods: ['S256'],
      required: ({ oidc }, client) =>
        client.clientAuthMethod === 'none' || oidc.params?.['nonce'] === undefined,
    },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_context, origin, { clientId }) => clients.isAllowedOrigin(clientId, origin),
    features,
    routes,
    renderError: errorAnswerPage,
    ttl: lifetimes(request.loginSeconds),
  }
}

const clientAuthMethods: ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'none']

const routes = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  revocation: '/revoke',
  end_session: '/logout',
}

const features: NonNullable<Configuration['features']> = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  requestObjects: { request: false, requestUri: false },
  claimsParameter: { enabled: false },
  userinfo: { enabled: true },
  revocation: { enabled: true },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: logoutPage,
    postLogoutSuccessSource: loggedOutPage,
  },
}

function cookies({ names, cookieSecret }: ConfigurationRequest): Configuration['cookies'] {
  const prefix = `${names.platform}-oidc`
  const attributes = { signed: true, httpOnly: true, overwrite: true, sameSite: 'lax' } as const
  return {
    names: { session: prefix, interaction: `${prefix}-step`, resume: `${prefix}-resume` },
    long: { ...attributes, path: '/oidc/' },
    short: attributes,
    keys: [cookieSecret],
  }
}
