import { guarded } from '../../../meta/waiting/guarded.ts'
import { readFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'

export type ProviderFetch = (
  url: string | URL,
  options?: {
    method?: string
    headers?: ConstructorParameters<typeof Headers>[0]
    body?: unknown
    signal?: AbortSignal
  },
) => Promise<Response>

export interface FetchTrust {
  /**
   * Path of a PEM file; undefined: the system's trust store. It is read for each request, so that it can be replaced.
   */
  caFile?: string | undefined
  /** True if certificates are not verified. */
  insecure?: boolean | undefined
}

/** Timeout of a request. */
const timeoutMs = 10_000
/** Maximum size of a response; a larger one is aborted. */
const maxBytes = 4 * 1024 * 1024

/** A fetch with the given trust, without redirects, and with limits on time and memory. */
export function providerFetch(trust: FetchTrust): ProviderFetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const address = new URL(url)
    const { caFile } = trust
    const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
    const text = textOf(body)
    const options: RequestOptions & { ca?: string; rejectUnauthorized?: boolean } = {
      method,
      headers: {
        'user-agent': 'platform-apiserver',
        ...Object.fromEntries(new Headers(headers)),
        ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
      },
      signal: signal ?? AbortSignal.timeout(timeoutMs),
      ...(ca === undefined ? {} : { ca }),
      ...(trust.insecure === true ? { rejectUnauthorized: false } : {}),
    }
    return exchange(address, options, text)
  }
}

function exchange(url: URL, options: RequestOptions, body: string | undefined): Promise<Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const answered = (incoming: IncomingMessage) => {
      const chunks: Buffer[] = []
      let length = 0
      const take = (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) incoming.destroy(new Error(`${url.host} answers too much`))
        else chunks.push(chunk)
      }
      incoming.on('data', guarded('providerFetch.data', reject, take))
      incoming.on('error', reject)
      // A malformed response only fails this fetch.
      const end = () => {
        const headers = new Headers()
        for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
          headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '')
        }
        const status = incoming.statusCode ?? 502
        const isEmpty = status === 204 || status === 205 || status === 304
        resolve(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers }))
      }
      incoming.on('end', guarded('providerFetch.end', reject, end))
    }
    const outgoing = request(url, options, guarded('providerFetch.answer', reject, answered))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** The body as a string; the libraries only send strings and forms. */
function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a body has to be a text or a form')
}
