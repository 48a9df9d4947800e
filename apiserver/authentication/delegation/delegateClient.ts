import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { boundedBytes } from '../../runtime/boundedBytes.ts'
import type { Clock } from '../../meta/clock.ts'
import { parseObject } from '../../meta/json/parseObject.ts'
import { DelegateError } from './delegateError.ts'
import type { DelegateAddress } from './kubeconfigFile.ts'

export interface DelegateCall {
  method: 'GET' | 'POST'
  /** Path including the query. */
  path: string
  body?: unknown
}

export interface DelegateClientOptions {
  address: DelegateAddress
  clock: Clock
  /** Time limit in milliseconds for a whole request, in real time. Default 10 seconds. */
  timeoutMs?: number
}

const defaultTimeoutMs = 10_000
const tokenFileMs = 60_000
const maxAnswerBytes = 8 * 1024 * 1024

/** A client of the delegate API server, with keep-alive connections. */
export class DelegateClient {
  readonly #options: DelegateClientOptions
  readonly #agent: HttpAgent
  readonly #closing = new AbortController()
  #token: { value: string; readAt: number } | undefined

  constructor(options: DelegateClientOptions) {
    this.#options = options
    this.#agent = agentOf(options.address)
  }

  /** Aborted when the client is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal
  }

  /** Sends a request and returns the response object. @throws DelegateError with a message that names the request. */
  async call(call: DelegateCall): Promise<Record<string, unknown>> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    const answer = await this.#send(call, signal)
    const bytes = await this.#told(call, () => boundedBytes(answer, maxAnswerBytes))
    const status = answer.statusCode ?? 0
    const body = parseObject(bytes.toString('utf8'))
    if (status < 200 || status > 299 || body === undefined) {
      throw DelegateError.ofAnswer({ status, body, retryAfter: answer.headers['retry-after'] })
    }
    return body
  }

  /** Streams the response to a watch until `signal` aborts. @throws DelegateError */
  async stream(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const answer = await this.#send({ method: 'GET', path }, signal)
    if (answer.statusCode === 200) return answer
    const bytes = await this.#told({ method: 'GET', path }, () =>
      boundedBytes(answer, maxAnswerBytes),
    )
    const body = parseObject(bytes.toString('utf8'))
    throw DelegateError.ofAnswer({ status: answer.statusCode ?? 0, body, retryAfter: undefined })
  }

  /** Aborts pending requests. */
  close(): void {
    this.#closing.abort()
    this.#agent.destroy()
  }

  async #send(call: DelegateCall, signal: AbortSignal): Promise<IncomingMessage> {
    const target = new URL(this.#options.address.server + call.path)
    const text = call.body === undefined ? undefined : JSON.stringify(call.body)
    const headers = { ...(await this.#credential()), ...contentOf(text) }
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest
    const either = AbortSignal.any([this.#closing.signal, signal])
    return this.#told(
      call,
      () =>
        new Promise<IncomingMessage>((resolve, reject) => {
          const options = { method: call.method, agent: this.#agent, signal: either, headers }
          send(target, options, resolve).on('error', reject).end(text)
        }),
    )
  }

  /** Adds the request to error messages. */
  async #told<T>({ method, path }: DelegateCall, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const verb = method === 'GET' ? 'Get' : 'Post'
      throw DelegateError.ofConnection(`${verb} "${this.#options.address.server}${path}"`, error)
    }
  }

  async #credential(): Promise<{ authorization?: string }> {
    const { tokenFile, token } = this.#options.address
    const value = tokenFile === undefined ? token : await this.#fromFile(tokenFile)
    return value === undefined ? {} : { authorization: `Bearer ${value}` }
  }

  async #fromFile(file: string): Promise<string> {
    const now = this.#options.clock.now()
    if (this.#token === undefined || now - this.#token.readAt >= tokenFileMs) {
      try {
        this.#token = { value: (await readFile(file, 'utf8')).trim(), readAt: now }
      } catch (error) {
        // The last token that was read may still be valid.
        if (this.#token === undefined) throw DelegateError.ofConnection(`token file ${file}`, error)
      }
    }
    return this.#token.value
  }
}

function agentOf({ server, ca, certificate, ...tls }: DelegateAddress): HttpAgent {
  const limits = { keepAlive: true, maxSockets: 32 }
  if (!server.startsWith('https:')) return new HttpAgent(limits)
  return new HttpsAgent({
    ...limits,
    ...certificate,
    ...(ca === undefined ? {} : { ca }),
    ...(tls.tlsServerName === undefined ? {} : { servername: tls.tlsServerName }),
    rejectUnauthorized: !tls.skipTlsVerify,
  })
}

function contentOf(text: string | undefined): Record<string, string | number> {
  const accept = { accept: 'application/json', 'user-agent': 'platform-apiserver' }
  if (text === undefined) return accept
  const length = Buffer.byteLength(text)
  return { ...accept, 'content-type': 'application/json', 'content-length': length }
}
