import type { LoginCodes } from './records/loginCodes.ts'
import type { Connectors } from './connectors.ts'
import type { Connector } from './connectors/connector.ts'
import type { LoginAnswer } from './pages/loginResponse.ts'
import { brokenLogin } from './loginRefusals.ts'
import { cookieOf, type LoginRequest } from './pages/loginRequest.ts'
import type { LoginServices } from './loginServices.ts'
import { allowedReturns, loginTarget } from './loginTarget.ts'
import type { LoginThrottle } from './limits/loginThrottle.ts'
import { shortHash } from './users/objectNames.ts'
import { PendingLogins } from './records/pendingLogins.ts'
import type { ProviderAsks } from './limits/providerAsks.ts'
import { signedIn } from './signedIn.ts'
import type { SingleSignOn } from './users/singleSignOn.ts'

export interface ConnectorLoginsOptions {
  services: LoginServices
  signOn: SingleSignOn
  /** Connectors of the effective configuration, for users who reach the server at this address. */
  connectors: (publicUrl: string) => Connectors
  throttle: LoginThrottle
  asks: ProviderAsks
  codes: LoginCodes
}

const connectorPath = /^\/auth\/([A-Za-z0-9._-]+)\/(login|callback|logout)$/
const cookieSeconds = 600

/** Logins through the pages of a provider: started here, and finished when the browser returns. */
export class ConnectorLogins {
  readonly #options: ConnectorLoginsOptions
  readonly #pending: PendingLogins

  constructor(options: ConnectorLoginsOptions) {
    this.#options = options
    const { clock, random, shared, sealingSecret } = options.services
    const records = shared.recordsOf('returns')
    this.#pending = new PendingLogins({ clock, random, records, secret: sealingSecret })
  }

  /** Handlers of a path by method; undefined: not a path of a connector. */
  routes({
    path,
    publicUrl,
  }: LoginRequest):
    Readonly<Record<string, (request: LoginRequest) => Promise<LoginAnswer>>> | undefined {
    const [, id = '', step] = connectorPath.exec(path) ?? []
    const connector = this.#options.connectors(publicUrl).all.get(id)
    if (connector === undefined) return undefined
    const start = (request: LoginRequest) => this.#start(connector, request)
    const finish = (request: LoginRequest) => this.#finish(connector, request)
    if (step === 'callback') return { GET: finish, POST: finish }
    if (step === 'login') return { GET: start, POST: start }
    return { GET: () => this.#logout(connector) }
  }

  /**
   * Starts a login: a browser is redirected, a program receives the address. Source: platform facts 4, OIDCRedirect.
   */
  async #start(connector: Connector, { url, wantsPage }: LoginRequest): Promise<LoginAnswer> {
    const state = this.#pending.newState()
    const { redirect, kept, isPosted } = await this.#options.asks.ask(connector.displayName, () =>
      connector.start(state),
    )
    const target = loginTarget(
      url.searchParams,
      allowedReturns(this.#options.services.settings().auth),
    )
    const sealed = await this.#pending.seal(state, connector.id, { kept, target })
    const sameSite = isPosted === true ? 'None' : 'Lax'
    const attributes = `Path=/auth/; Max-Age=${cookieSeconds}; HttpOnly; Secure; SameSite=${sameSite}`
    const cookie = `${this.#cookieName(state)}=${sealed}; ${attributes}`
    const headers = { 'Set-Cookie': cookie }
    if (wantsPage) return { code: 303, headers: { ...headers, Location: redirect } }
    const apiVersion = `authentication.${this.#options.services.names.domain}/v1`
    return { code: 200, headers, json: { kind: 'OIDCRedirect', apiVersion, redirect } }
  }

  /** Finishes a login; failed attempts count. */
  async #finish(connector: Connector, request: LoginRequest): Promise<LoginAnswer> {
    const attempt = await this.#options.throttle.take(request.address)
    const answer = await this.#finished(connector, request)
    await attempt.putBack()
    return answer
  }

  async #finished(connector: Connector, request: LoginRequest): Promise<LoginAnswer> {
    const { url, method } = request
    const form = method === 'POST' ? await request.fields() : new URLSearchParams()
    const state =
      one(url.searchParams, 'state') ?? form.get('state') ?? form.get('RelayState') ?? ''
    const cookie = this.#cookieName(state)
    const sealed = cookieOf(request, cookie) ?? ''
    const login = await this.#pending.take(state, connector.id, sealed)
    const found = await this.#options.asks.ask(connector.displayName, () =>
      connector.finish({ url, form, kept: login.kept }),
    )
    const { services, signOn, codes } = this.#options
    const { user, identity } = await signOn.logIn(found)
    const options = { wantsPage: request.wantsPage, target: login.target, codes }
    const answer = await signedIn({ user, identity }, services, options)
    const used = `${cookie}=; Path=/auth/; Max-Age=0; HttpOnly; Secure`
    const cookies = [answer.headers?.['Set-Cookie'] ?? [], used].flat()
    return { ...answer, headers: { ...answer.headers, 'Set-Cookie': cookies } }
  }

  async #logout(connector: Connector): Promise<LoginAnswer> {
    const target = await this.#options.asks.ask(connector.displayName, async () =>
      connector.logoutUrl?.(),
    )
    return { code: 303, headers: { Location: target ?? '/login' } }
  }

  /** Cookie name of a pending login: a browser may have several. */
  #cookieName(state: string): string {
    return `${this.#options.services.names.platform}-login-${shortHash(state)}`
  }
}

function one(query: URLSearchParams, name: string): string | undefined {
  const [value, other] = query.getAll(name)
  if (other !== undefined) throw brokenLogin(`the response of the provider repeats ${name}`)
  return value
}
