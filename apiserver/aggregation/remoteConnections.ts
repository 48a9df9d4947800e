import type { ClientRequest, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { UserInfo } from '../meta/types.ts'
import { connectionProblem, type Endpoint } from '../webhooks/connectionProblem.ts'
import type { RemoteService } from './remoteService.ts'
import type { ProxyIdentity } from './proxyIdentity.ts'
import { userHeaders, type Headers } from './userHeaders.ts'

const maxAgents = 64
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
  readonly #agents = new Map<string, Agent>()

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
      ...(upgrades ? { ...this.#tlsOf(remote), agent: false } : { agent: this.#agentOf(remote) }),
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
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  #tlsOf({ ca, skipsVerification }: RemoteService) {
    return {
      ...this.#identity.current,
      ...(ca === '' ? {} : { ca }),
      rejectUnauthorized: !skipsVerification,
    }
  }

  #agentOf(remote: RemoteService): Agent {
    const tls = this.#tlsOf(remote)
    const key = JSON.stringify(tls)
    let agent = this.#agents.get(key)
    if (agent === undefined) {
      agent = new Agent({ ...tls, keepAlive: true, maxFreeSockets: 32 })
      this.#agents.set(key, agent)
      const [oldest] = this.#agents.keys()
      if (this.#agents.size > maxAgents && oldest !== undefined) {
        this.#agents.get(oldest)?.destroy()
        this.#agents.delete(oldest)
      }
    }
    return agent
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
