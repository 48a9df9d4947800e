import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ApiAnswer {
  value: unknown
  headers?: Record<string, string>
}

export interface ApiCall {
  url: URL
  body: unknown
}

export interface ApiProviderOptions {
  authorizePath: string
  tokenPath: string
  /** Response of `GET /user` to an access token. */
  routes: Record<string, (call: ApiCall) => ApiAnswer | unknown[]>
  tls?: { cert: string; key: string }
}

/**
 * Server written for these tests that implements the documented protocol of a hosted-git service or
 * a directory: OAuth 2.0 with single-use codes, PKCE and a client secret, and an API that accepts
 * its access tokens. Every visitor of its login page is logged in.
 */
export class ApiProvider {
  url = ''
  /** Requests such as `GET /user`, in order. */
  readonly requests: string[] = []
  asked = new URLSearchParams()
  readonly #codes = new Map<string, URLSearchParams>()
  readonly #options: ApiProviderOptions
  readonly #server: Server

  constructor(options: ApiProviderOptions) {
    this.#options = options
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response)
    this.#server =
      options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve)
  }

  get host(): string {
    return new URL(this.url).host
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const scheme = this.#options.tls === undefined ? 'http' : 'https'
    this.url = `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const call = `${request.method} ${url.pathname}`
    this.requests.push(call)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { authorizePath, tokenPath, routes } = this.#options
    if (url.pathname === authorizePath) return this.#authorize(url, response)
    if (call === `POST ${tokenPath}`) return this.#token(new URLSearchParams(text), response)
    const route = routes[call]
    if (route === undefined) return answer(response, 404, { value: { message: call } })
    if (request.headers.authorization !== 'Bearer the-token') {
      return answer(response, 401, { value: { message: 'Bad credentials' } })
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const given = route({ url, body })
    answer(response, 200, Array.isArray(given) ? { value: given } : given)
  }

  #authorize(url: URL, response: ServerResponse): void {
    this.asked = url.searchParams
    const code = `code-${this.#codes.size}`
    this.#codes.set(code, url.searchParams)
    const back = new URL(url.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  #token(form: URLSearchParams, response: ServerResponse): void {
    const asked = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const isRight =
      asked?.get('code_challenge') === challenge &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      form.get('client_id') === 'id' &&
      form.get('client_secret') === 'secret'
    if (!isRight) return answer(response, 400, { value: { error: 'invalid_grant' } })
    answer(response, 200, { value: { access_token: 'the-token', token_type: 'bearer' } })
  }
}

function answer(response: ServerResponse, code: number, { value, headers }: ApiAnswer): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
