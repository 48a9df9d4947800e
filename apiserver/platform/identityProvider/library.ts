import type { Adapter } from 'oidc-provider'
import type Provider from 'oidc-provider'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { endedSessionCookie } from '../logins/pages/browserSession.ts'
import { endLogin } from '../logins/loginKeys.ts'
import { ProviderAdapter } from './adapter.ts'
import type { ProviderAccounts } from './accounts.ts'
import { browserUser } from './browserUser.ts'
import { ProviderClients } from './clients.ts'
import { providerConfiguration } from './providerConfiguration.ts'
import { interactionsOf } from './interactions.ts'
import { loginSeconds } from './lifetimes.ts'
import type { ProviderServices } from './providerServices.ts'
import type { ProviderRecords } from './providerRecords.ts'
import { RefreshKeys } from './refreshKeys.ts'

export interface LibraryRequest {
  services: ProviderServices
  issuer: string
  keys: Parameters<typeof providerConfiguration>[0]['keys']
  cookieSecret: string
  records: ProviderRecords
  accounts: ProviderAccounts
}

/** The library, configured for one state of the configuration. */
export interface LoadedProvider {
  provider: Provider
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** Loads the library at first use, and configures it. */
export async function loadProvider(request: LibraryRequest): Promise<LoadedProvider> {
  const { default: Library, errors, interactionPolicy } = await import('oidc-provider')
  const { services, issuer, records, accounts } = request
  const settings = services.settings()
  const clients = new ProviderClients(settings.identityProvider)
  const state = { ...{ records, accounts, errors }, clock: services.clock }
  const stateServices = { ...state, refreshKeys: new RefreshKeys(services) }
  const adapterOf = (model: string): Adapter =>
    model === 'Client' ? clients : new ProviderAdapter(model, stateServices)
  const userOf = ({ req }: KoaContextWithOIDC) => browserUser(req, services, accounts)
  const library = { interactionPolicy, errors }
  const provider = new Library(
    issuer,
    providerConfiguration({
      ...request,
      ...{ names: services.names, clients, adapterOf },
      loginSeconds: loginSeconds(settings),
      interactions: interactionsOf({ library, clients, userOf }),
    }),
  )
  stayAt(provider, issuer)
  checkRedirectsBy(provider, clients)
  endLoginsWithSessions(provider, { services, issuer, userOf })
  provider.on('server_error', (_context, error) => services.report(error))
  provider.app.on('error', services.report)
  const handle = provider.callback()
  return { provider, handle: async (incoming, response) => handle(incoming, response) }
}

/** Makes all addresses start with the issuer's, regardless of a request's host. */
function stayAt({ app }: Provider, issuer: string): void {
  const { protocol, host } = new URL(issuer)
  Object.defineProperties(app.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  })
}

function checkRedirectsBy({ Client }: Provider, clients: ProviderClients): void {
  function isAllowed(this: { clientId: string }, uri: unknown): boolean {
    return typeof uri === 'string' && clients.isAllowedRedirect(this.clientId, uri)
  }
  Object.defineProperties(Client.prototype, {
    redirectUriAllowed: { value: isAllowed },
    // Redirect URIs of a login are allowed after a logout, too.
    postLogoutRedirectUriAllowed: { value: isAllowed },
  })
}

interface SessionEnd {
  services: ProviderServices
  issuer: string
  userOf: (context: KoaContextWithOIDC) => ReturnType<typeof browserUser>
}

/** Ends the platform's own login when a user logs out through a client: the login's access key is deleted. */
function endLoginsWithSessions(provider: Provider, { services, issuer, userOf }: SessionEnd): void {
  provider.use(async (context: KoaContextWithOIDC, next: () => Promise<unknown>) => {
    await next()
    const { route, session } = context.oidc ?? {}
    if (route !== 'end_session_confirm' || session === undefined) return
    if (!('destroyed' in session && session.destroyed === true)) return
    // The library also ends a session to start one for another user, and continues with the login in progress.
    const target = session.state?.['postLogoutRedirectUri']
    if (typeof target === 'string' && target.startsWith(`${issuer}/authorize/`)) return
    const user = userOf(context)
    if (user === undefined || user.account.id !== session.accountId) return
    await endLogin(user.key, services)
    context.append('Set-Cookie', endedSessionCookie(services.names))
  })
}
