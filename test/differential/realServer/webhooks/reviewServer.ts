import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authority, certificate, serverUse } from '../../../support/certificates.ts'
import type { Side } from '../../side.ts'

/** AdmissionReview or ConversionReview as received from a server. */
export interface Review {
  kind: string
  apiVersion: string
  request: Record<string, unknown> & { uid: string }
}

/** HTTP response of a webhook. */
export interface Reply {
  /** Status; default: 200. */
  status?: number
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Delay before the response. */
  afterMs?: number
  /** True to close the connection, after the headers and half of the body if those are given. */
  isCut?: true
}

export type Behaviour = (review: Review, path: string) => Reply

/** Call of a webhook. */
export interface Recorded {
  path: string
  line: string
  headers: Record<string, unknown>
  review: Review
}

type SideName = Side['name']

/** Webhook server of both sides, with different paths; it keeps the requests. */
export class ReviewServer {
  /** Certificate: PEM in base64. */
  readonly caBundle: string
  readonly #server: Server
  readonly #behaviours = new Map<string, Behaviour>()
  readonly #recorded: Record<SideName, Recorded[]> = { ours: [], peer: [] }

  private constructor(server: Server, caBundle: string) {
    this.#server = server
    this.caBundle = caBundle
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response).catch(() => response.destroy())
    })
  }

  static async open(): Promise<ReviewServer> {
    const ca = await authority('webhooks')
    const hosts = ['127.0.0.1', 'localhost']
    const own = await certificate({ cn: 'webhook', uses: [serverUse], hosts }, ca)
    const server = createServer({ cert: own.cert, key: own.key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ReviewServer(server, Buffer.from(ca.cert).toString('base64'))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port // it listens
  }

  /** Path without the side: `/case/hook`. */
  on(path: string, behaviour: Behaviour): void {
    this.#behaviours.set(path, behaviour)
  }

  url(side: SideName, path: string): string {
    return `https://127.0.0.1:${this.port}/${side}${path}`
  }

  /** Calls of the paths below a prefix, in order. */
  callsOf(side: SideName, prefix: string): readonly Recorded[] {
    return this.#recorded[side].filter(({ path }) => path.startsWith(prefix))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const url = request.url ?? ''
    const side: SideName = url.startsWith('/ours/') ? 'ours' : 'peer'
    const path = url.replace(/^\/(ours|peer)/, '').replace(/\?.*/, '')
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Review
    const { accept, 'content-type': type, 'user-agent': agent } = request.headers
    const line = `${request.method} ${url.replace(/^\/(ours|peer)/, '')}`
    this.#recorded[side].push({ path, line, headers: { accept, type, agent }, review })
    const reply = this.#behaviours.get(path)?.(review, `/${side}${path}`) ?? { status: 404 }
    await send(reply, response)
  }
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body = '', afterMs = 0, isCut } = reply
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
  if (isCut === true && body === '') return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (isCut !== true) return void response.end(body)
  response.write(body.slice(0, body.length / 2))
  setTimeout(() => response.destroy(), 20)
}
