import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { boundedBytes } from '../../runtime/boundedBytes.ts'
import { SecretStoreError } from './secretStoreError.ts'

const defaultTimeoutMs = 10_000
const maxAnswerBytes = 8 * 1024 * 1024
const maxRedirects = 2

export interface StoreConnectionOptions {
  /** `http://` or `https://` URL, optionally with a path. */
  address: string
  skipTLSVerify: boolean
  /** Empty: none. */
  namespace: string
  /** Called for every request; undefined: it is sent without a token. */
  token: () => string | undefined
  /** Time limit of a whole request, in real time. Default 10 seconds. */
  timeoutMs?: number
}

export interface StoreAnswer {
  status: number
  /** Parsed JSON; undefined if the response has no body. */
  body: unknown
}

/** A client of a secret store's HTTP API, with kept-alive connections. */
export class StoreConnection {
  readonly #options: StoreConnectionOptions
  readonly #base: URL
  readonly #agent: HttpAgent
  readonly #closing = new AbortController()

  /** Creates a client. @throws SecretStoreError Refused if the address is invalid. */
  constructor(options: StoreConnectionOptions) {
    this.#options = options
    this.#base = baseOf(options.address)
    const limits = { keepAlive: true, maxSockets: 8 }
    this.#agent =
      this.#base.protocol === 'https:'
        ? new HttpsAgent({ ...limits, rejectUnauthorized: !options.skipTLSVerify })
        : new HttpAgent(limits)
  }

  /**
   * Sends a request. `path` is encoded and appended to `/v1/`. Any status is a response.
   * @throws SecretStoreError Unreachable without a response, Closed after close().
   */
  async request(method: string, path: string, body?: unknown): Promise<StoreAnswer> {
    const prefix = this.#base.pathname.replace(/\/$/, '')
    const text = body === undefined ? undefined : JSON.stringify(body)
    let target = new URL(`${prefix}/v1/${path}`, this.#base)
    for (let redirects = 0; ; redirects++) {
      const { status, location, bytes } = await this.#send(method, target, text)
      if (location === undefined || redirects === maxRedirects) return { status, body: json(bytes) }
      target = this.#redirected(location, target)
    }
  }

  /** Aborts pending requests. */
  close(): void {
    this.#closing.abort()
    this.#agent.destroy()
  }

  async #send(method: string, target: URL, text: string | undefined): Promise<RawAnswer> {
    const timeoutMs = this.#options.timeoutMs ?? defaultTimeoutMs
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeoutMs)])
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest
    try {
      return await new Promise<RawAnswer>((resolve, reject) => {
        const options = { method, agent: this.#agent, signal, headers: this.#headers(text) }
        const outgoing = send(target, options, (incoming) => {
          readAnswer(incoming).then(resolve, reject)
        })
        outgoing.on('error', reject)
        outgoing.end(text)
      })
    } catch (error) {
      if (this.#closing.signal.aborted) {
        throw new SecretStoreError('Closed', 'the connection to the secret store is closed')
      }
      throw unreachable(error)
    }
  }

  #headers(text: string | undefined): Record<string, string | number> {
    const { namespace, token } = this.#options
    const bearer = token()
    return {
      accept: 'application/json',
      'X-Vault-Request': 'true',
      ...(bearer === undefined ? {} : { 'X-Vault-Token': bearer }),
      ...(namespace === '' ? {} : { 'X-Vault-Namespace': namespace }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
  }

  /**
   * The target of a redirect: a standby node redirects clients to the active one. The token is never sent over a less
   * secure connection, nor to another kind of address.
   */
  #redirected(location: string, from: URL): URL {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined
    if (to?.protocol === from.protocol) return to
    throw new SecretStoreError('Refused', 'the secret store redirects to another protocol')
  }
}

interface RawAnswer {
  status: number
  location: string | undefined
  bytes: Buffer
}

function baseOf(address: string): URL {
  const base = URL.canParse(address) ? new URL(address) : undefined
  if (base?.protocol === 'http:' || base?.protocol === 'https:') return base
  throw new SecretStoreError('Refused', 'the address of the secret store is not an HTTP URL')
}

async function readAnswer(incoming: IncomingMessage): Promise<RawAnswer> {
  const bytes = await boundedBytes(incoming, maxAnswerBytes)
  const status = incoming.statusCode ?? 0
  const isRedirect = [301, 302, 307, 308].includes(status)
  const location = isRedirect ? incoming.headers.location : undefined
  return { status, location, bytes }
}

function json(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch (error) {
    throw new SecretStoreError('Unreachable', 'the response of the secret store is not JSON', {
      cause: error,
    })
  }
}

/** An error with the code, which is stable, rather than the message, which contains ports and times. */
function unreachable(error: unknown): SecretStoreError {
  if (error instanceof SecretStoreError) return error
  const { code, name, message } = error as NodeJS.ErrnoException // node:http throws nothing else
  const why = name === 'TimeoutError' ? 'it does not answer in time' : (code ?? message)
  return new SecretStoreError('Unreachable', `the secret store cannot be reached: ${why}`, {
    cause: error,
  })
}
