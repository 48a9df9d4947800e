import type { IncomingMessage, ServerResponse } from 'node:http'
import { managementResource } from '../apis/management/managementKind.ts'
import { StatusError } from '../meta/status.ts'
import { routeMethodNotAllowed, routeNotFound, unauthorized } from '../meta/statusErrors.ts'
import { isObject } from '../meta/isObject.ts'
import { ConnectorLogins } from './connectorLogins.ts'
import { connectorsOf, type Connectors } from './connectors.ts'
import { errorAnswer, writeAnswer, type LoginAnswer } from './loginAnswer.ts'
import { endLogin } from './loginKeys.ts'
import { loginPage } from './loginPages.ts'
import { bearerOf, checkOrigin, loginRequest, type LoginRequest } from './loginRequest.ts'
import type { LoginServices } from './loginServices.ts'
import { LoginThrottle } from './loginThrottle.ts'
import { isDisabled, logInByPassword } from './passwordLogin.ts'
import { signedIn } from './signedIn.ts'
import { SingleSignOn } from './singleSignOn.ts'
import { TokenLogins } from './tokenLogins.ts'
import { linkAnnotations, UserDirectory } from './userDirectory.ts'

type Handler = (request: LoginRequest) => Promise<LoginAnswer> | LoginAnswer

/** The endpoints that logins go through, outside of the API: `/auth/…` and the page `/login`.
 *  Source: platform facts 4. */
export class Logins {
  readonly #services: LoginServices
  readonly #directory: UserDirectory
  readonly #throttle: LoginThrottle
  readonly #byConnector: ConnectorLogins
  readonly #byToken: TokenLogins
  readonly #routes: Readonly<Record<string, Readonly<Record<string, Handler>>>>
  #connectors: { auth: object; made: Connectors } | undefined

  constructor(services: LoginServices) {
    this.#services = services
    this.#directory = new UserDirectory(linkAnnotations(services.names.domain))
    this.#throttle = new LoginThrottle(services.clock)
    const options = {
      services,
      signOn: new SingleSignOn(services, this.#directory),
      connectors: () => this.#current(),
      throttle: this.#throttle,
    }
    this.#byConnector = new ConnectorLogins(options)
    this.#byToken = new TokenLogins(options)
    this.#routes = this.#routeTable()
  }

  /** Begins to follow users and teams. */
  async start(): Promise<void> {
    const { access, names } = this.#services
    const users = access.store(managementResource(names, 'users'))
    await this.#directory.start(users, access.store(managementResource(names, 'teams')))
  }

  /** Answers a request to a login path. Never rejects. */
  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const options = {
      custom: this.#services.settings().customHttpHeaders,
      isHead: incoming.method === 'HEAD',
    }
    const request = loginRequest(incoming)
    try {
      writeAnswer(response, await this.#answer(request), options)
    } catch (error) {
      this.#reportOwn(error)
      if (response.headersSent) response.destroy()
      else writeAnswer(response, errorAnswer(error, request.wantsPage), options)
    }
  }

  /** What is nobody's mistake at the browser is for the operator to know. */
  #reportOwn(error: unknown): void {
    if (!(error instanceof StatusError)) this.#services.report(error)
    else if (error.code >= 500 && error.cause !== undefined) this.#services.report(error.cause)
  }

  #answer(request: LoginRequest): Promise<LoginAnswer> | LoginAnswer {
    const { pathname } = request.url
    const handlers = this.#routes[pathname] ?? this.#byConnector.routes(pathname)
    if (handlers === undefined) throw routeNotFound()
    const handler = handlers[request.method]
    if (handler === undefined) throw routeMethodNotAllowed()
    return handler(request)
  }

  #routeTable() {
    const { clusterManager } = this.#services.names
    const tokens = this.#byToken
    return {
      '/login': { GET: (request: LoginRequest) => this.#loginPage(request) },
      '/auth/info': { GET: () => this.#info() },
      '/auth/password/login': { POST: (request: LoginRequest) => this.#passwordLogin(request) },
      '/auth/logout': { POST: (request: LoginRequest) => this.#logout(request) },
      '/auth/token': { POST: (request: LoginRequest) => tokens.token(request) },
      '/auth/oidc/token': { POST: (request: LoginRequest) => tokens.oidcToken(request) },
      '/auth/oidc/refresh': { POST: (request: LoginRequest) => tokens.oidcRefresh(request) },
      [`/auth/${clusterManager}/login`]: {
        POST: (request: LoginRequest) => tokens.clusterManager(request),
      },
    }
  }

  #loginPage({ url }: LoginRequest): LoginAnswer {
    const page = loginPage({
      isCli: url.searchParams.get('cli') === 'true',
      hasPassword: !isDisabled(this.#services),
      providers: [...this.#current().all.values()],
    })
    return { code: 200, page }
  }

  /** Source: platform facts 4, Info. */
  #info(): LoginAnswer {
    const { names, settings } = this.#services
    const sso = [...this.#current().all.values()].map(({ id, displayName }) => ({
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
    }
    const apiVersion = `authentication.${names.domain}/v1`
    return { code: 200, json: { kind: 'Info', apiVersion, methods } }
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
      isCli: fields.get('cli') === 'true',
    })
  }

  /** Deletes the key that was shown, if a login made it. Source: platform facts 3.4. */
  async #logout(request: LoginRequest): Promise<LoginAnswer> {
    checkOrigin(request)
    const key = bearerOf(request)
    if (key === undefined) throw unauthorized()
    await endLogin(key, this.#services)
    const json = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }
    return { code: 200, json }
  }

  /** Made anew when the configuration is another. */
  #current(): Connectors {
    const { names, clock, environment, settings, publicUrl, report } = this.#services
    const { auth } = settings()
    if (this.#connectors?.auth !== auth) {
      const made = connectorsOf({ names, clock, environment, auth, publicUrl: publicUrl() })
      for (const error of made.errors) report(error)
      this.#connectors = { auth, made }
    }
    return this.#connectors.made
  }
}
