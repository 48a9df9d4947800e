import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { CliError, exitCodes } from '../base/cliError.ts'
import { shownLine } from '../base/shownText.ts'
import type { Verbosity } from './verbosity.ts'

/** Trust in a server's certificate. */
export interface Trust {
  /** PEM; absent: the system's CAs. */
  certificateAuthority?: string | undefined
  insecure?: boolean | undefined
}

export interface Message {
  method: string
  /** Path and query. */
  path: string
  headers?: Readonly<Record<string, string | string[]>>
  body?: unknown
  /** Default: application/json. */
  contentType?: string
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

export interface TransportOptions extends Trust {
  /** Base URL without a trailing slash. */
  url: string
  userAgent: string
  timeoutSeconds: number
  signal: AbortSignal
  verbosity: Verbosity
  /** Proxy of connections; absent: none. */
  proxy?: URL | undefined
  /** Called with warnings from the server. */
  warn: (text: string) => void
}

const maxAnswerBytes = 256 * 1024 * 1024

/**
 * Requests to one server over kept-alive connections. Does not follow redirects, which would send the key elsewhere.
 */
export class Transport {
  readonly options: TransportOptions
  #agent: Promise<HttpAgent> | undefined

  constructor(options: TransportOptions) {
    this.options = options
  }

  /** Sends a request and reads the whole response. @throws CliError unreachable. */
  async send(message: Message): Promise<Answer> {
    const { verbosity, url } = this.options
    const { method, path } = message
    const body = message.body === undefined ? '' : bodyOf(message.body)
    const headers = this.#headersOf(message, body)
    verbosity.request(method, url + path, headers)
    verbosity.body('Request Body', body)
    const start = performance.now()
    const answer = await this.#exchange({ method, path, headers }, body)
    const milliseconds = Math.round(performance.now() - start)
    verbosity.response({ method, url: url + path, status: answer.status, milliseconds })
    verbosity.body('Response Body', answer.text)
    for (const text of warningsIn(answer.headers['warning'])) this.options.warn(text)
    return answer
  }

  close(): void {
    void this.#agent?.then((agent) => agent.destroy())
  }

  #headersOf(message: Message, body: string): Record<string, string | string[]> {
    return {
      Accept: 'application/json',
      'User-Agent': this.options.userAgent,
      ...(body === '' ? {} : { 'Content-Type': message.contentType ?? 'application/json' }),
      ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...message.headers,
    }
  }

  async #exchange(
    head: { method: string; path: string; headers: Record<string, string | string[]> },
    body: string,
  ): Promise<Answer> {
    this.#agent ??= agentOf(this.options)
    const agent = await this.#agent
    const { url, signal, timeoutSeconds } = this.options
    const { protocol, hostname, port, pathname } = new URL(url)
    const send = protocol === 'https:' ? httpsRequest : httpRequest
    const base = pathname === '/' ? '' : pathname
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(unreachable(this.options, error))
      const timer = setTimeout(() => {
        sent.destroy(new Error(`no answer within ${timeoutSeconds} s`))
      }, timeoutSeconds * 1000)
      const sent = send({
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        agent,
        signal,
        ...head,
        path: base + head.path,
      })
      sent.on('error', fail)
      sent.on('close', () => clearTimeout(timer))
      sent.on('response', (response) => {
        readText(response).then(
          (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          fail,
        )
      })
      sent.end(body)
    })
  }
}

/** Agent that keeps connections alive. The proxy library is loaded only if there is a proxy. */
async function agentOf({ url, certificateAuthority, insecure, proxy }: TransportOptions) {
  const trust = {
    keepAlive: true,
    rejectUnauthorized: insecure !== true,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  }
  if (!url.startsWith('https:')) return new HttpAgent({ keepAlive: true })
  if (proxy === undefined) return new HttpsAgent(trust)
  const { HttpsProxyAgent } = await import('hpagent')
  return new HttpsProxyAgent({ ...trust, proxy })
}

function bodyOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    // Sound: no encoding is set, so chunks are buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxAnswerBytes) throw new Error('the answer is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Messages in a Warning header. Source: RFC 7234, 5.5; Kubernetes, code 299. */
function warningsIn(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '')
  return [...text.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replaceAll(/\\(.)/g, '$1'),
  )
}

/** Error codes of Node for untrusted certificates. */
const distrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|CERT_HAS_EXPIRED|ERR_TLS_CERT_ALTNAME_INVALID|CERT_UNTRUSTED|HOSTNAME_MISMATCH)$/

export function isDistrust(error: unknown): boolean {
  return distrusted.test(String((error as { code?: unknown }).code))
}

function unreachable({ url, signal, proxy }: TransportOptions, error: unknown): CliError {
  if (signal.aborted) return new CliError('interrupted', { code: exitCodes.interrupted })
  const { host } = new URL(url)
  const { message, code } = error as NodeJS.ErrnoException
  if (isDistrust(error)) {
    return new CliError(`the certificate of ${host} is not trusted: ${message}`, {
      code: exitCodes.unreachable,
      hint: `Log in with --certificate-authority FILE, or with --insecure not to verify it: $program login ${url}`,
      cause: error,
    })
  }
  if (proxy !== undefined && isOfProxy(error)) return proxyError(host, proxy, error)
  const why = connectionErrors[code ?? ''] ?? shownLine(message)
  const hint = 'Check the address and your connection; "$program status" shows the address in use.'
  return new CliError(`cannot reach ${host}: ${why}`, {
    code: exitCodes.unreachable,
    hint,
    cause: error,
  })
}

/** Reports whether a connection failed at the proxy rather than at the server. */
function isOfProxy(error: unknown): boolean {
  const { message, code } = error as NodeJS.ErrnoException
  return refusalOfProxy.test(message) || proxyErrors.has(code ?? '')
}

function proxyError(host: string, proxy: URL, error: unknown): CliError {
  const { message, code } = error as NodeJS.ErrnoException
  const [, status] = refusalOfProxy.exec(message) ?? []
  const why =
    status === undefined ? (connectionErrors[code ?? ''] ?? message) : `it answered ${status}`
  return new CliError(`cannot reach ${host} through the proxy ${proxy.host}: ${why}`, {
    code: exitCodes.unreachable,
    hint: 'Check HTTPS_PROXY, or name the host in NO_PROXY to reach it without a proxy.',
    cause: error,
  })
}

const refusalOfProxy = /^Bad response: (\d+)$/

/** Error codes of failed connections to a proxy. */
const proxyErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

const connectionErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be resolved for now',
  ETIMEDOUT: 'timed out',
  EHOSTUNREACH: 'no route to the host',
  EPROTO: 'it does not speak TLS',
}
