import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest, type AgentOptions } from 'node:https'
import { isIP } from 'node:net'
import type { UserInfo } from '../meta/types.ts'
import { AgentPool } from '../webhooks/agentPool.ts'
import { connectionProblem, type Endpoint } from '../webhooks/connectionProblem.ts'
import type { RemoteService } from './remoteService.ts'
import type { ProxyIdentity } from './proxyIdentity.ts'
import { userHeaders, type Headers } from './userHeaders.ts'

const maxBytes = 32 * 1024 * 1024

export interface RemoteRequest {
  method: string
  /** Path including the query. */
  path: string
  headers: Headers
}

/** Body of a response. */
export interface RemoteAnswer {
  code: number
  body: Buffer
  etag: string | undefined
}

/** User of this server's own requests to other servers. */
const aggregator: UserInfo = {
  name: 'system:kube-aggregator',
  uid: '',
  groups: ['system:masters'],
  extra: {},
}

/** Keep-alive connections to the servers of APIServices. */
export class Connections {
  readonly #identity: ProxyIdentity
  /** Agents by their TLS options as JSON. */
  readonly #agents = new AgentPool(
    (tls) =>
      new Agent({ ...(JSON.parse(tls) as AgentOptions), keepAlive: true, maxFreeSockets: 32 }),
  )

  constructor(identity: ProxyIdentity) {
    this.#identity = identity
  }

  /** Starts a request. An upgrade gets its own connection. */
  open(
    remote: RemoteService,
    { host, port, serverName }: Endpoint,
    { method, path, headers }: RemoteRequest,
    upgrades = false,
  ): ClientRequest {
    const shown = isIP(host) === 6 ? `[${host}]` : host
    return httpsRequest({
      ...{ host, port, method, path },
      ...(upgrades
        ? { ...this.#tlsOf(remote), agent: false }
        : { agent: this.#agents.of(JSON.stringify(this.#tlsOf(remote))) }),
      servername: serverName,
      headers: { ...headers, host: `${shown}:${port}` },
    })
  }

  /**
   * Reads a document as this server's own user. @throws Error in the wording of the real server.
   */
  async read(
    remote: RemoteService,
    endpoint: Endpoint,
    { path, headers = {}, timeoutMs }: { path: string; headers?: Headers; timeoutMs: number },
  ): Promise<RemoteAnswer> {
    const { host, port } = endpoint
    const url = `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}${path}`
    const signal = AbortSignal.timeout(timeoutMs)
    const asked = { ...headers, ...userHeaders(aggregator), 'user-agent': 'kube-aggregator' }
    const request = this.open(remote, endpoint, { method: 'GET', path, headers: asked })
    const abort = () => request.destroy(new Error('context deadline exceeded'))
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise<RemoteAnswer>((resolve, reject) => {
        request.on('error', reject)
        request.on('response', (response) => void readAll(response).then(resolve, reject))
        request.end()
      })
    } catch (error) {
      const why = signal.aborted ? 'context deadline exceeded' : connectionProblem(error, endpoint)
      throw new Error(`Get ${JSON.stringify(url)}: ${why}`, { cause: error })
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  close(): void {
    this.#agents.close()
  }

  #tlsOf({ ca, skipsVerification }: RemoteService) {
    return {
      ...this.#identity.current,
      ...(ca === '' ? {} : { ca }),
      rejectUnauthorized: !skipsVerification,
    }
  }
}

async function readAll(response: IncomingMessage): Promise<RemoteAnswer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) {
      response.destroy()
      throw new Error(`the response has more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  const { statusCode: code = 0, headers } = response
  return { code, body: Buffer.concat(chunks), etag: headers.etag }
}
