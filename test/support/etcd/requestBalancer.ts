import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { issueAuthority, issueLeaf } from '../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'

/** HTTPS in front of several servers: each request goes to the next one. */
export class RequestBalancer {
  /** Host and port. */
  readonly host: string
  /** Path of every request, without its query, and the index of the server that got it. */
  readonly served: { path: string; server: number }[] = []
  readonly #server: Server

  static async open(ports: readonly number[]): Promise<RequestBalancer> {
    const sources = { clock: realClock, random: realRandom }
    const leaf = await issueLeaf(await issueAuthority(undefined, sources), ['127.0.0.1'], sources)
    const server = createServer(leaf)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new RequestBalancer(server, ports)
  }

  private constructor(server: Server, ports: readonly number[]) {
    this.#server = server
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (near, response) => this.#forward(near, response, ports))
  }

  get url(): string {
    return `https://${this.host}`
  }

  /** Indexes of the servers that got requests to these paths. */
  serversOf(path: RegExp): number[] {
    return this.served.filter((one) => path.test(one.path)).map(({ server }) => server)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #forward(near: IncomingMessage, response: ServerResponse, ports: readonly number[]): void {
    const server = this.served.length % ports.length
    const { url = '/', method, headers } = near
    this.served.push({ path: url.replace(/\?.*/, ''), server })
    const target = { host: '127.0.0.1', port: ports[server], path: url, method, headers }
    const far = request({ ...target, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    far.on('error', () => response.destroy())
    near.pipe(far)
  }
}
