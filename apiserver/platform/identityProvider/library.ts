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
import { providerConfiguration } from './configuration.ts'
import { interactionsOf } from './interactions.ts'
import { loginSeconds } from './lifetimes.ts'
import type { ProviderServices } from './providerServices.ts'
import type { ProviderRecords } from './records.ts'
import { RefreshKeys } from './refreshKeys.ts'

export interface LibraryRequest {
  services: ProviderServices
  issuer: string
  keys: Parameters<typeof providerConfiguration>[0]['keys']
  cookieSecret: string
  records: ProviderRecords
  accounts: ProviderAccounts
}

/** The library as it is set up for one state of the configuration. */
export interface LoadedProvider {
  provider: Provider
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** Loads the library at first use, and sets it up. */
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

/** Addresses are those of the issuer, whatever host a request names. */
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
    // Where a client's users may be sent after a login they may be sent after a logout.
    postLogoutRedirectUriAllowed: { value: isAllowed },
  })
}

interface SessionEnd {
  services: ProviderServices
  issuer: string
  userOf: (context: KoaContextWithOIDC) => ReturnType<typeof browserUser>
}

/** Whoever logs out through a client logs out here: the login's access key goes. */
function endLoginsWithSessions(provider: Provider, { services, issuer, userOf }: SessionEnd): void {
  provider.use(async (context: KoaContextWithOIDC, next: () => Promise<unknown>) => {
    await next()
    const { route, session } = context.oidc ?? {}
    if (route !== 'end_session_confirm' || session === undefined) return
    if (!('destroyed' in session && session.destroyed === true)) return
    // The library also ends a session to begin that of another user, and goes on at the login that is under way.
    const target = session.state?.['postLogoutRedirectUri']
    if (typeof target === 'string' && target.startsWith(`${issuer}/authorize/`)) return
    const user = userOf(context)
    if (user === undefined || user.account.id !== session.accountId) return
    await endLogin(user.key, services)
    context.append('Set-Cookie', endedSessionCookie(services.names))
  })
}
