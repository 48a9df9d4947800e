import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { WebhookAddress } from './webhookAddress.ts'
import type { Clock } from '../meta/clock.ts'
import { CallProblem, httpProblem } from './callProblem.ts'
import { connectionProblem } from './connectionProblem.ts'

/** A response is a review with a patch, or with the objects of one conversion. */
const maxBytes = 8 * 1024 * 1024
/** Idle connections are closed, and agents that were not used for long forgotten. */
const maxAgents = 64
const agentOptions = {
  ...{ keepAlive: true, maxSockets: 128, maxFreeSockets: 8, timeout: 90_000 },
  // A bundle may hold the webhook's own certificate without its authority, which programs in Go trust.
  allowPartialTrustChain: true,
}

export interface WebhookCall {
  address: WebhookAddress
  /** PEM; undefined: what the system trusts. */
  ca: string | undefined
  body: string
  timeoutMs: number
  /** Largest response. Default and maximum: 8 MiB. */
  maxBytes?: number
  /** Aborted when no caller waits for the response any more. */
  signal: AbortSignal | undefined
}

/** Posts reviews over connections that stay open. */
export class WebhookClient {
  readonly #agents = new Map<string, Agent>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The body of the response. @throws CallProblem. */
  async post(call: WebhookCall): Promise<string> {
    const expired = AbortSignal.timeout(call.timeoutMs)
    const signal = call.signal === undefined ? expired : AbortSignal.any([expired, call.signal])
    for (;;) {
      try {
        const { code, body, retryAfter, isJson } = await this.#answer(call, signal)
        if (code >= 200 && code < 300) return body
        if (code !== 429 || retryAfter === undefined)
          throw new CallProblem(httpProblem(code, body, isJson))
        await this.#pause(retryAfter * 1000, signal)
      } catch (error) {
        if (error instanceof CallProblem) throw error
        const why = signal.aborted
          ? 'context deadline exceeded'
          : connectionProblem(error, call.address)
        throw new CallProblem(`Post ${JSON.stringify(call.address.url)}: ${why}`, { cause: error })
      }
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  /** Follows the redirects that keep the method. */
  async #answer(call: WebhookCall, signal: AbortSignal): Promise<HttpAnswer> {
    let { address } = call
    for (let left = mostRedirects; ; left--) {
      const answer = await this.#exchange({ ...call, address }, signal)
      const { code, location } = answer
      if ((code !== 307 && code !== 308) || location === undefined) return answer
      if (left === 0) throw new Error(`stopped after ${mostRedirects} redirects`)
      address = redirected(address, location)
    }
  }

  #exchange(posted: Posted, signal: AbortSignal): Promise<HttpAnswer> {
    const { address, ca, body, maxBytes: asked = maxBytes } = posted
    const limit = Math.min(asked, maxBytes)
    const { host, port, path, serverName } = address
    const isAddress = isIP(serverName) > 0
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        host,
        port,
        path,
        method: 'POST',
        agent: this.#agentOf(ca ?? ''),
        ...(isAddress ? {} : { servername: serverName }),
        signal,
        headers: {
          host: port === 443 ? hostHeader(serverName) : `${hostHeader(serverName)}:${port}`,
          accept: 'application/json, */*',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'kube-apiserver-admission',
        },
      })
      // The webhook may close a connection at the moment that it is used again.
      const failed = (error: Error & { code?: string }) => {
        const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted
        if (isStale) resolve(this.#exchange(posted, signal))
        else reject(error)
      }
      request.on('error', failed)
      request.on('response', (response) => void readAnswer(response, limit).then(resolve, reject))
      request.end(body)
    })
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = () => {
        timer.cancel()
        reject(new Error('aborted'))
      }
      const timer = this.#clock.setTimer(() => {
        signal.removeEventListener('abort', ended)
        resolve()
      }, ms)
      signal.addEventListener('abort', ended, { once: true })
    })
  }

  #agentOf(ca: string): Agent {
    let agent = this.#agents.get(ca)
    if (agent === undefined) {
      agent = new Agent({ ...agentOptions, ...(ca === '' ? {} : { ca }) })
      this.#agents.set(ca, agent)
      const [oldest] = this.#agents.keys()
      if (this.#agents.size > maxAgents && oldest !== undefined) {
        this.#agents.get(oldest)?.destroy()
        this.#agents.delete(oldest)
      }
    }
    return agent
  }
}

type Posted = Pick<WebhookCall, 'address' | 'ca' | 'body' | 'maxBytes'>

interface HttpAnswer {
  code: number
  body: string
  /** Seconds; undefined: not said. */
  retryAfter: number | undefined
  location: string | undefined
  isJson: boolean
}

const mostRedirects = 10

function redirected(address: WebhookAddress, location: string): WebhookAddress {
  const from = `https://${hostHeader(address.serverName)}:${address.port}${address.path}`
  const to = new URL(location, from)
  if (to.protocol !== 'https:') throw new Error('unsupported protocol scheme of a redirect')
  const serverName = to.hostname.replace(/^\[|\]$/g, '')
  const path = `${to.pathname}${to.search}`
  const port = Number(to.port === '' ? 443 : to.port)
  const isSame = serverName === address.serverName && port === address.port
  return { url: to.href, path, port, serverName, host: isSame ? address.host : serverName }
}

async function readAnswer(response: IncomingMessage, limit: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limit) {
      response.destroy()
      throw new CallProblem('the response of the webhook is too large')
    }
    chunks.push(chunk)
  }
  const seconds = Number(response.headers['retry-after'] ?? NaN)
  return {
    code: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
    location: response.headers.location,
    isJson: response.headers['content-type']?.includes('json') === true,
  }
}

function hostHeader(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}
