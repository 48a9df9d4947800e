import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { authority, certificate, serverUse } from '../../support/certificates.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface HostileOptions {
  /** Names in the certificate; default: 127.0.0.1. */
  hosts?: readonly string[]
  /** Expiry of the certificate; default: in an hour. */
  to?: Date
}

/** Server whose responses suffice for a login; the test defines all others. */
export class HostileServer {
  /** Received requests by method and path, with their keys. */
  readonly requests: { line: string; key: string | undefined }[] = []
  readonly #server: Server
  readonly #answer: Answer
  /** PEM of its certificate authority. */
  readonly ca: string

  private constructor(server: Server, ca: string, answer: Answer) {
    this.#server = server
    this.ca = ca
    this.#answer = answer
    server.on('request', (request, response) => this.#serve(request, response))
  }

  static async start(answer: Answer, options: HostileOptions = {}): Promise<HostileServer> {
    const { hosts = ['127.0.0.1'], to } = options
    const ca = await authority('the authority')
    const from = to === undefined ? undefined : new Date(to.getTime() - 3_600_000)
    const times = from === undefined || to === undefined ? {} : { from, to }
    const own = await certificate({ cn: 'hostile', uses: [serverUse], hosts, ...times }, ca)
    const server = createServer({ cert: own.cert, key: own.key })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new HostileServer(server, ca.cert, answer)
  }

  get port(): number {
    // Sound: the server listens on a port.
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    this.requests.push({ line: `${method} ${url}`, key: headers.authorization })
    request.resume()
    if (url === '/auth/info')
      json(response, { apiVersion: 'authentication.platform/v1', methods: { cli: {} } })
    else if (url.endsWith('/selves')) json(response, { status: { user: { name: 'jane' } } }, 201)
    else this.#answer(request, response)
  }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
