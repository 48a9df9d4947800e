import { linkAnnotations } from '../../apis/management/users/accountLink.ts'
import { managementResource } from '../../apis/management/managementKind.ts'
import { routeMethodNotAllowed, routeNotFound, unauthorized } from '../../meta/statusErrors.ts'
import { isObject } from '../../meta/json/isObject.ts'
import { untilDone } from '../../meta/waiting/untilDone.ts'
import { endedSessionCookie } from './pages/browserSession.ts'
import { LoginCodes } from './records/loginCodes.ts'
import { ConnectorLogins } from './connectorLogins.ts'
import { CurrentConnectors } from './currentConnectors.ts'
import {
  errorAnswer,
  knownError,
  setHeaders,
  writeAnswer,
  type LoginAnswer,
} from './pages/loginResponse.ts'
import type { LoginExchange } from './pages/loginExchange.ts'
import { IdentityRefresher } from './users/identityRefresher.ts'
import { endLogin } from './loginKeys.ts'
import { loginPage } from './pages/loginPages.ts'
import { allowedReturns, checkClientRequest, loginTarget } from './loginTarget.ts'
import { bearerOf, checkOrigin, loginRequest, type LoginRequest } from './pages/loginRequest.ts'
import type { LoginServices } from './loginServices.ts'
import { pageLook, type PageLook } from './pages/pageLook.ts'
import type { PlatformSettings } from '../../platformConfig/platformSettings.ts'
import type { Part } from '../../runtime/leadership.ts'
import { uiSettingsAnswer } from './pages/uiSettingsResponse.ts'
import { LoginThrottle } from './limits/loginThrottle.ts'
import { loggedError } from './loggedError.ts'
import { isDisabled, logInByPassword } from './passwordLogin.ts'
import { ProviderAsks } from './limits/providerAsks.ts'
import { signedIn } from './signedIn.ts'
import { SingleSignOn } from './users/singleSignOn.ts'
import { TokenLogins } from './tokenLogins.ts'
import { UserDirectory } from './users/userDirectory.ts'

/** Path at which command-line clients exchange the code of a login. */
const codePath = '/auth/code/token'

type Handler = (request: LoginRequest) => Promise<LoginAnswer> | LoginAnswer

/**
 * The login endpoints outside of the API: `/auth/…` and the page `/login`.
 * Source: platform facts 4.
 */
export class Logins {
  readonly #services: LoginServices
  readonly #directory: UserDirectory
  readonly #throttle: LoginThrottle
  readonly #codes: LoginCodes
  readonly #byConnector: ConnectorLogins
  readonly #byToken: TokenLogins
  readonly #refresher: Promise<Part>
  readonly #routes: Readonly<Record<string, Readonly<Record<string, Handler>>>>
  readonly #connectors: CurrentConnectors
  readonly #started = untilDone(() => this.#followUsers())
  #lookOf: { settings: PlatformSettings; look: PageLook } | undefined

  constructor(services: LoginServices) {
    this.#services = services
    this.#directory = new UserDirectory(linkAnnotations(services.names.domain))
    const { clock, random, report, shared } = services
    this.#throttle = new LoginThrottle({ clock, report, shared: shared.buckets, subject: 'login' })
    this.#codes = new LoginCodes({ clock, random, records: shared.recordsOf('codes') })
    this.#connectors = new CurrentConnectors(services)
    const options = {
      services,
      signOn: new SingleSignOn(services, this.#directory),
      connectors: (publicUrl: string) => this.#connectors.at(publicUrl),
      throttle: this.#throttle,
      asks: new ProviderAsks(),
      codes: this.#codes,
    }
    this.#byConnector = new ConnectorLogins(options)
    this.#byToken = new TokenLogins(options)
    // Only one server refreshes: a provider may accept a refresh token only once.
    this.#refresher = shared.leadership.lead(
      () =>
        new IdentityRefresher({
          ...options,
          connectors: () => this.#connectors.at(services.publicUrl(undefined)).all,
          start: () => this.start(),
        }),
    )
    this.#routes = this.#routeTable()
  }

  /** Starts following users and teams; further calls wait for the first. */
  start(): Promise<void> {
    return this.#started()
  }

  async #followUsers(): Promise<void> {
    const { access, names } = this.#services
    const users = access.store(managementResource(names, 'users'))
    await this.#directory.start(users, access.store(managementResource(names, 'teams')))
  }

  stop(): void {
    void this.#refresher.then((part) => part.stop())
  }

  /** Sets the headers of every response of a login path, including responses of filters. */
  begin({ response }: Pick<LoginExchange, 'response'>): void {
    setHeaders(response, this.#services.settings().customHttpHeaders)
  }

  /** Serves a request to a login path. Never rejects. */
  async serve(exchange: LoginExchange): Promise<void> {
    const request = loginRequest(exchange, this.#services)
    try {
      await this.start()
      await this.#services.shared.newest()
      writeAnswer(exchange, await this.#answer(request, exchange), this.#look())
    } catch (error) {
      this.#refuse(exchange, error, request)
    }
  }

  #refuse(exchange: LoginExchange, error: unknown, { wantsPage, url }: LoginRequest): void {
    const { response, audit } = exchange
    // The deadline passed first: the client has its response.
    if (response.writableEnded) return
    const known = knownError(error)
    // Errors that are not the client's fault are reported to the operator.
    if (known !== error) audit?.panicked()
    if (known.code >= 500 && known.cause !== undefined) {
      this.#services.report(loggedError(known))
    }
    audit?.responseStatus(known.toStatus())
    if (response.headersSent) response.destroy()
    else
      writeAnswer(
        exchange,
        errorAnswer(known, wantsPage, loginTarget(url.searchParams, this.#returns())),
        this.#look(),
      )
  }

  /** Appearance of the pages, cached per configuration. */
  #look(): PageLook {
    const settings = this.#services.settings()
    if (this.#lookOf?.settings !== settings) this.#lookOf = { settings, look: pageLook(settings) }
    return this.#lookOf.look
  }

  async #answer(request: LoginRequest, { audit }: LoginExchange): Promise<LoginAnswer> {
    const handlers = this.#routes[request.path] ?? this.#byConnector.routes(request)
    if (handlers === undefined) throw routeNotFound()
    const handler = handlers[request.method]
    if (handler === undefined) throw routeMethodNotAllowed()
    const answer = await handler(request)
    const { domain } = this.#services.names
    for (const [name, value] of Object.entries(answer.noted ?? {})) {
      audit?.annotate(`${domain}/${name}`, value)
    }
    return answer
  }

  #routeTable() {
    const { clusterManager } = this.#services.names
    const tokens = this.#byToken
    return {
      '/login': { GET: (request: LoginRequest) => this.#loginPage(request) },
      '/auth/ui-settings': { GET: (request: LoginRequest) => this.#uiSettings(request) },
      '/auth/info': { GET: (request: LoginRequest) => this.#info(request) },
      '/auth/password/login': { POST: (request: LoginRequest) => this.#passwordLogin(request) },
      [codePath]: { POST: (request: LoginRequest) => tokens.code(request) },
      '/auth/logout': { POST: (request: LoginRequest) => this.#logout(request) },
      '/auth/token': { POST: (request: LoginRequest) => tokens.token(request) },
      '/auth/oidc/token': { POST: (request: LoginRequest) => tokens.oidcToken(request) },
      '/auth/oidc/refresh': { POST: (request: LoginRequest) => tokens.oidcRefresh(request) },
      [`/auth/${clusterManager}/login`]: {
        POST: (request: LoginRequest) => tokens.clusterManager(request),
      },
    }
  }

  #returns(): readonly string[] {
    return allowedReturns(this.#services.settings().auth)
  }

  #loginPage({ url, publicUrl }: LoginRequest): LoginAnswer {
    checkClientRequest(url.searchParams, this.#returns())
    const page = loginPage({
      target: loginTarget(url.searchParams, this.#returns()),
      hasPassword: !isDisabled(this.#services),
      providers: [...this.#connectors.at(publicUrl).all.values()],
    })
    return { code: 200, page }
  }

  #uiSettings({ headers, isAuthenticated }: LoginRequest): LoginAnswer {
    const ifNoneMatch = headers['if-none-match'] ?? ''
    return uiSettingsAnswer(this.#services.settings(), { ifNoneMatch, isAuthenticated })
  }

  /** Login methods for clients, and the spelling of names. Source: platform facts 4, Info. */
  #info({ publicUrl }: LoginRequest): LoginAnswer {
    const { names, settings } = this.#services
    const sso = [...this.#connectors.at(publicUrl).all.values()].map(({ id, displayName }) => ({
      id,
      displayName,
      loginEndpoint: `/auth/${id}/login`,
      logoutEndpoint: `/auth/${id}/logout`,
    }))
    const manager = settings().auth[names.clusterManager]
    const host = isObject(manager) ? manager['host'] : undefined
    const methods = {
      sso,
      [names.clusterManager]: { enabled: host !== undefined, ...(host ? { host } : {}) },
      password: { enabled: !isDisabled(this.#services) },
      cli: { tokenEndpoint: codePath },
    }
    const { platform, domain, proxySegment, cliRole } = names
    const spelt = { platform, domain, proxySegment, cliRole }
    const apiVersion = `authentication.${names.domain}/v1`
    return { code: 200, json: { kind: 'Info', apiVersion, methods, names: spelt } }
  }

  async #passwordLogin(request: LoginRequest): Promise<LoginAnswer> {
    checkOrigin(request)
    const fields = await request.fields()
    const attempt = {
      username: fields.get('username') ?? '',
      password: fields.get('password') ?? '',
      address: request.address,
    }
    const services = this.#services
    const throttle = this.#throttle
    const user = await logInByPassword(attempt, { services, users: this.#directory, throttle })
    return signedIn({ user: user.name }, services, {
      wantsPage: request.wantsPage,
      codes: this.#codes,
      // The page's form passes it in its URL, other programs in the body.
      target: loginTarget(
        new URLSearchParams([...request.url.searchParams, ...fields]),
        this.#returns(),
      ),
    })
  }

  /** Deletes the given key, if a login created it. Source: platform facts 3.4. */
  async #logout(request: LoginRequest): Promise<LoginAnswer> {
    checkOrigin(request)
    const key = bearerOf(request)
    if (key === undefined) throw unauthorized()
    await endLogin(key, this.#services)
    const json = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
    const headers = { 'Set-Cookie': endedSessionCookie(this.#services.names) }
    return { code: 200, headers, json }
  }
}
