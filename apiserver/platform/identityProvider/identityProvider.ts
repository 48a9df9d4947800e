import { managementResource } from '../../apis/management/managementKind.ts'
import { StatusError } from '../../meta/status.ts'
import { routeNotFound } from '../../meta/statusErrors.ts'
import { untilDone } from '../../meta/waiting/untilDone.ts'
import type { IdentityProviderSettings } from '../../platformConfig/identityProviderSettings.ts'
import { identityProviderPath } from '../logins/pages/browserSession.ts'
import { errorAnswer, knownError, writeAnswer } from '../logins/pages/loginResponse.ts'
import type { LoginExchange } from '../logins/pages/loginExchange.ts'
import { LoginThrottle } from '../logins/limits/loginThrottle.ts'
import { ProviderAccounts } from './accounts.ts'
import { browserUser } from './browserUser.ts'
import { answerInteraction } from './interactionAnswer.ts'
import { loadProvider, type LoadedProvider } from './library.ts'
import type { ProviderServices } from './providerServices.ts'
import { ProviderRecords } from './providerRecords.ts'
import { ownUrl, withConsent } from './requestUrl.ts'

interface State {
  records: ProviderRecords
  accounts: ProviderAccounts
  cookieSecret: string
}

interface Current {
  settings: IdentityProviderSettings
  issuer: string
  keys: object
  loaded: Promise<LoadedProvider>
}

const interactionPath = /^\/interaction\/([\w-]+)(?:\?|$)/

/**
 * The platform as an OpenID provider: below `/oidc`, if enabled in the configuration. It loads and
 * reads nothing before its first request. Source: specification, "oidc" of the other status fields;
 * platform facts 4.
 */
export class IdentityProvider {
  readonly #services: ProviderServices
  readonly #throttle: LoginThrottle
  readonly #started = untilDone(() => this.#start())
  #records: ProviderRecords | undefined
  #current: Current | undefined
  #isStopped = false

  constructor(services: ProviderServices) {
    this.#services = services
    const { clock, report, shared } = services
    this.#throttle = new LoginThrottle({
      ...{ clock, report },
      shared: shared.buckets,
      subject: 'identity provider',
    })
  }

  /** Serves a request to a path of the provider. Never rejects. */
  async serve(exchange: LoginExchange): Promise<void> {
    const { response, request } = exchange
    try {
      const url = ownUrl(request.url)
      const { enabled } = this.#services.settings().identityProvider
      if (!enabled || url === undefined) throw routeNotFound()
      await this.#answer(exchange, withConsent(url))
      exchange.bodyBytes = Number(response.getHeader('content-length') ?? 0)
    } catch (error) {
      this.#refuse(exchange, error)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#records?.stop()
  }

  async #answer(exchange: LoginExchange, url: string): Promise<void> {
    const { request, response, auditId } = exchange
    const state = await this.#started()
    await this.#services.shared.newest()
    const loaded = await this.#provider(state)
    response.setHeader('Audit-Id', auditId)
    for (const [name, value] of alwaysHeaders) {
      if (!response.hasHeader(name)) response.setHeader(name, value)
    }
    const [, interaction] = interactionPath.exec(url) ?? []
    const userOf = () => browserUser(request, this.#services, state.accounts)
    if (interaction !== undefined) {
      const { provider } = loaded
      const { domain } = this.#services.names
      await answerInteraction(exchange, { provider, id: interaction, user: userOf(), domain })
      return
    }
    const attempt = isTried(url)
      ? await this.#throttle.take(this.#services.addressOf(request))
      : undefined
    await handleAt(exchange, url, loaded)
    // A correct secret is not counted, and neither is a visitor that is already logged in.
    if (isTried(url) === 'secret' ? response.statusCode < 400 : userOf() !== undefined)
      await attempt?.putBack()
  }

  #refuse(exchange: LoginExchange, error: unknown): void {
    const { response, request, audit } = exchange
    if (response.writableEnded) return
    const known = knownError(error)
    if (known !== error) audit?.panicked()
    if (!(error instanceof StatusError)) this.#services.report(error)
    audit?.responseStatus(known.toStatus())
    if (response.headersSent) {
      response.destroy()
      return
    }
    const wantsPage = known.code !== 404 && (request.headers.accept ?? '').includes('text/html')
    writeAnswer(exchange, errorAnswer(known, wantsPage))
  }

  async #start(): Promise<State> {
    const { access, names, clock, report, cookieSecret } = this.#services
    const beside = access.store(managementResource(names, 'ownedaccesskeys'))
    const records = new ProviderRecords({ beside, clock, report })
    const accounts = new ProviderAccounts(this.#services)
    await Promise.all([records.start(), accounts.start()])
    this.#records = records
    if (this.#isStopped) records.stop()
    return { records, accounts, cookieSecret: await cookieSecret() }
  }

  /**
   * The provider, created again when the configuration, the address or the keys change: pending requests are in the
   * records.
   */
  async #provider(state: State): Promise<LoadedProvider> {
    const { settings, publicUrl, signingKeys } = this.#services
    const keys = await signingKeys.privateKeys()
    const { identityProvider } = settings()
    const issuer = publicUrl() + identityProviderPath
    const known = this.#current
    if (known?.settings === identityProvider && known.issuer === issuer && known.keys === keys) {
      return known.loaded
    }
    const loaded = loadProvider({ services: this.#services, issuer, keys, ...state })
    const current = { settings: identityProvider, issuer, keys, loaded }
    this.#current = current
    loaded.catch(() => {
      if (this.#current === current) this.#current = undefined
    })
    return loaded
  }
}

/** Headers of every response, which must not leak or be sniffed. */
const alwaysHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
] as const

/**
 * Kind of a request that is throttled because anyone can repeat it: one with a client secret, or
 * one that stores state.
 */
function isTried(url: string): 'secret' | 'begin' | undefined {
  const [path = ''] = url.split('?')
  if (path === '/token' || path === '/revoke') return 'secret'
  return path === '/authorize' || path === '/logout' ? 'begin' : undefined
}

/**
 * Calls the library with a URL relative to the provider: the library derives its mount path from the difference of two
 * URLs. The request's own URL is restored afterwards.
 */
async function handleAt(
  { request, response }: LoginExchange,
  url: string,
  { handle }: LoadedProvider,
): Promise<void> {
  const mounted: typeof request & { originalUrl?: string } = request
  const before = { url: mounted.url, originalUrl: mounted.originalUrl }
  Object.assign(mounted, { url, originalUrl: identityProviderPath + url })
  try {
    await handle(request, response)
    // The library considers a response to HEAD over HTTP/2 as already finished.
    if (!response.writableEnded) response.end()
  } finally {
    Object.assign(mounted, before)
  }
}
