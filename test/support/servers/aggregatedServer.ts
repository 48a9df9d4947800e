import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { authority, certificate, clientUse, serverUse } from '../certificates.ts'

export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  /** Common name of the client certificate. */
  client: string | undefined
  body: string
}

type Respond = (seen: Seen, response: ServerResponse) => void

const resources = [
  {
    name: 'things',
    singularName: 'thing',
    namespaced: true,
    kind: 'Thing',
    verbs: ['get', 'list'],
  },
  { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] },
]

const swagger = {
  swagger: '2.0',
  paths: {
    '/apis/': { get: {} },
    '/apis/agg.example.com/v1/things': {
      get: { responses: { 200: { schema: { $ref: '#/definitions/dev.Thing' } } } },
    },
  },
  definitions: {
    'dev.Thing': { type: 'object', properties: { spec: { $ref: '#/definitions/dev.Spec' } } },
    'dev.Spec': { type: 'object', properties: { size: { type: 'integer' } } },
    'dev.Other': { type: 'string' },
  },
}

/** Server of the group agg.example.com on a free port of localhost, for the service `agg` of the namespace `default`. */
export class AggregatedServer {
  readonly caBundle: string
  /** Certificate that identifies a front proxy, and its key. */
  readonly proxy: { cert: string; key: string }
  readonly seen: Seen[] = []
  /** Responses by path, besides discovery. */
  readonly paths = new Map<string, Respond>()
  discoveryCode = 200
  readonly #server: Server

  private constructor(server: Server, caBundle: string, proxy: { cert: string; key: string }) {
    this.#server = server
    this.caBundle = caBundle
    this.proxy = proxy
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket: TLSSocket) => {
      this.#note(request, '')
      socket.on('error', () => socket.destroy())
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nX-Kept: yes\r\n\r\n`,
      )
      socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`))
    })
  }

  static async open(): Promise<AggregatedServer> {
    const ca = await authority('aggregated')
    const hosts = ['agg.default.svc']
    const own = await certificate({ cn: 'agg', uses: [serverUse], hosts }, ca)
    const proxies = await authority('front-proxy')
    const proxy = await certificate({ cn: 'front-proxy-client', uses: [clientUse] }, proxies)
    const tls = { cert: own.cert, key: own.key, ca: proxies.cert }
    const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    return new AggregatedServer(server, Buffer.from(ca.cert).toString('base64'), proxy)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // it listens
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Requests of clients, without the discovery requests of the aggregator. */
  get passedOn(): Seen[] {
    return this.seen.filter(({ headers }) => headers['x-remote-user'] !== 'system:kube-aggregator')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const seen = this.#note(request, Buffer.concat(chunks).toString())
    const path = seen.url.split('?', 1)[0] ?? ''
    const respond = this.paths.get(path)
    if (respond !== undefined) {
      respond(seen, response)
      return
    }
    const document = this.#document(path)
    response.setHeader('content-type', 'application/json')
    response.statusCode = document === undefined ? 404 : 200
    if (path === '/apis/agg.example.com/v1') response.statusCode = this.discoveryCode
    response.end(JSON.stringify(document ?? { kind: 'Status', code: 404 }))
  }

  #document(path: string): object | undefined {
    const groupVersion = 'agg.example.com/v1'
    switch (path) {
      case '/apis/agg.example.com/v1':
        return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
      case '/openapi/v2':
        return swagger
      case '/openapi/v3': {
        const serverRelativeURL = '/openapi/v3/apis/agg.example.com/v1?hash=AB'
        return { paths: { 'apis/agg.example.com/v1': { serverRelativeURL } } }
      }
      case '/openapi/v3/apis/agg.example.com/v1':
        return { openapi: '3.0.0', info: { title: 'agg' } }
      default:
        return undefined
    }
  }

  #note({ method = '', url = '', headers, socket }: IncomingMessage, body: string): Seen {
    const { subject } = (socket as TLSSocket).getPeerCertificate()
    const client = (subject as { CN?: string } | undefined)?.CN
    const seen = { method, url, headers, client, body }
    this.seen.push(seen)
    return seen
  }
}
