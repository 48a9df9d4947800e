import { connect } from 'node:http2'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { Issued } from '../certificates.ts'

export interface TlsRequest {
  certificate?: Issued | undefined
  token?: string | undefined
  headers?: Record<string, string | string[]> | undefined
  method?: string
  body?: unknown
}

export interface TlsAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Request over a separate connection, optionally with a client certificate. */
export function tlsRequest(url: string, given: TlsRequest = {}): Promise<TlsAnswer> {
  const { certificate, method = 'GET', body } = given
  const tls = certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }
  const options = { ...tls, method, headers: headersOf(given), rejectUnauthorized: false }
  return new Promise((resolve, reject) => {
    request(url, { ...options, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('end', () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
      })
    })
      .on('error', reject)
      // A string would be written together with the headers, which would encode those as UTF-8 once
      // more.
      .end(body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  })
}

/** The same over HTTP/2. */
export function http2Request(url: string, given: TlsRequest = {}): Promise<TlsAnswer> {
  const { certificate } = given
  const { origin, pathname } = new URL(url)
  const tls = certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }
  const session = connect(origin, { ...tls, rejectUnauthorized: false })
  return new Promise((resolve, reject) => {
    session.once('error', reject)
    const stream = session.request({ ':path': pathname, ...headersOf(given) })
    let [status, text] = [0, '']
    let headers: IncomingHttpHeaders = {}
    stream.once('response', (got) => {
      status = got[':status'] ?? 0
      headers = got
    })
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    stream.once('end', () => {
      session.close()
      resolve({ status, headers, text })
    })
    stream.once('error', reject)
    stream.end()
  })
}

function headersOf({ token, headers, body }: TlsRequest): Record<string, string | string[]> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
}
