import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { WebhookAddress } from './webhookAddress.ts'
import type { Clock } from '../meta/clock.ts'
import { AgentPool } from './agentPool.ts'
import { CallProblem, httpProblem } from './callProblem.ts'
import { connectionProblem } from './connectionProblem.ts'

/** Maximum size of a response: a review with a patch, or with the objects of one conversion. */
const maxBytes = 8 * 1024 * 1024
const agentOptions = {
  ...{ keepAlive: true, maxSockets: 128, maxFreeSockets: 8, timeout: 90_000 },
  // A bundle may contain the webhook's own certificate without its CA, which Go programs trust.
  allowPartialTrustChain: true,
}

export interface WebhookCall {
  address: WebhookAddress
  /** PEM; undefined: the system's CAs. */
  ca: string | undefined
  body: string
  timeoutMs: number
  /** Maximum size of a response. Default and maximum: 8 MiB. */
  maxBytes?: number
  /** Aborted when no caller is waiting for the response. */
  signal: AbortSignal | undefined
}

/** Posts reviews over kept-alive connections. */
export class WebhookClient {
  /** Agents by CA; empty: the CAs of the system. */
  readonly #agents = new AgentPool(
    (ca) => new Agent({ ...agentOptions, ...(ca === '' ? {} : { ca }) }),
  )
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The body of the response. @throws CallProblem. */
  async post(call: WebhookCall): Promise<string> {
    const expired = AbortSignal.timeout(call.timeoutMs)
    const signal = call.signal === undefined ? expired : AbortSignal.any([expired, call.signal])
    for (let left = mostRetries; ; left--) {
      try {
        const { code, body, type, retryAfter } = await this.#answer(call, signal)
        if (code >= 200 && code <= 206) return whole(body, code, type)
        if (retryAfter === undefined || left === 0 || !isRetried(code))
          throw new CallProblem(httpProblem(code, body, type))
        await this.#pause(retryAfter * 1000, signal)
      } catch (error) {
        if (error instanceof CallProblem) throw error
        const why = signal.aborted
          ? 'context deadline exceeded'
          : connectionProblem(error, call.address)
        const url = error instanceof RedirectProblem ? error.url : call.address.url
        throw new CallProblem(`Post ${JSON.stringify(url)}: ${why}`, { cause: error })
      }
    }
  }

  close(): void {
    this.#agents.close()
  }

  /** Follows redirects. A redirect that does not keep the method uses GET. */
  async #answer(call: WebhookCall, signal: AbortSignal): Promise<HttpAnswer> {
    let posted: Posted = call
    for (let left = mostRedirects; ; left--) {
      const answer = await this.#exchange(posted, signal).catch((error: unknown) => {
        if (posted === call || error instanceof CallProblem || signal.aborted) throw error
        throw new RedirectProblem(posted.address.url, connectionProblem(error, posted.address))
      })
      const { code, location } = answer
      if (!redirects.has(code) || location === undefined) return answer
      if (left === 1) {
        throw new RedirectProblem(location, `stopped after ${mostRedirects} redirects`)
      }
      const { body: _body, ...rest } = posted
      const address = redirected(posted.address, location)
      posted = code === 307 || code === 308 ? { ...posted, address } : { ...rest, address }
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
        method: body === undefined ? 'GET' : 'POST',
        agent: this.#agents.of(ca ?? ''),
        ...(isAddress ? {} : { servername: serverName }),
        signal,
        headers: {
          host: port === 443 ? hostHeader(serverName) : `${hostHeader(serverName)}:${port}`,
          accept: 'application/json, */*',
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          'user-agent': 'kube-apiserver-admission',
        },
      })
      // The webhook may close a connection at the moment when it is reused.
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
}

type Posted = Pick<WebhookCall, 'address' | 'ca' | 'maxBytes'> & { body?: string }

/** Reason why a redirect could not be followed. */
class RedirectProblem extends Error {
  readonly url: string

  constructor(url: string, why: string) {
    super(why)
    this.url = url
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

interface HttpAnswer {
  code: number
  body: string
  /** Seconds; undefined: not specified. */
  retryAfter: number | undefined
  location: string | undefined
  /** Media type; empty: not specified. */
  type: string
}

const mostRedirects = 10
/** Maximum number of retries, as in the real server's client. */
const mostRetries = 10

/** Reports whether a response with `Retry-After` is retried. */
function isRetried(code: number): boolean {
  return code === 429 || (code >= 500 && code < 600)
}

function redirected(address: WebhookAddress, location: string): WebhookAddress {
  const from = `https://${hostHeader(address.serverName)}:${address.port}${address.path}`
  const to = new URL(location, from)
  if (to.protocol !== 'https:') {
    const scheme = to.protocol.slice(0, -1)
    throw new RedirectProblem(location, `unsupported protocol scheme ${JSON.stringify(scheme)}`)
  }
  const serverName = to.hostname.replace(/^\[|\]$/g, '')
  const path = `${to.pathname}${to.search}`
  const port = Number(to.port === '' ? 443 : to.port)
  const isSame = serverName === address.serverName && port === address.port
  return { url: to.href, path, port, serverName, host: isSame ? address.host : serverName }
}

/** Body of a response. @throws CallProblem if it is empty. */
function whole(body: string, code: number, type: string): string {
  if (body !== '') return body
  throw new CallProblem(`0-length response with status code: ${code} and content type: ${type}`)
}

async function readAnswer(response: IncomingMessage, limit: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) {
        response.destroy()
        throw new CallProblem('the response of the webhook is too large')
      }
      chunks.push(chunk)
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET') throw error
    const why = 'unexpected error when reading response body. Please retry. Original error'
    throw new CallProblem(`${why}: unexpected EOF`, { cause: error })
  }
  const seconds = Number(response.headers['retry-after'] ?? NaN)
  return {
    code: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    retryAfter: Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined,
    location: response.headers.location,
    type: response.headers['content-type'] ?? '',
  }
}

function hostHeader(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}
