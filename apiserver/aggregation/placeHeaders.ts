import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../endpoints/exchange.ts'
import { cleanHeaders, forwardedFor } from './forwardedHeaders.ts'
import type { Headers } from './userHeaders.ts'

interface Placed {
  upgrades: boolean
  /** Path of the request as this server's clients see it. */
  forwarded: string
}

/** Headers of a request for a pod, a service or a node: those of the client without its credentials. */
export function placeHeaders(exchange: Exchange, { upgrades, forwarded }: Placed): Headers {
  const { request } = exchange
  const headers = cleanHeaders(request)
  const { host = '', ':authority': authority = host } = request.headers
  if (!hasBody(request)) delete headers['content-length']
  else if (headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  const { upgrade } = request.headers
  return {
    ...headers,
    host: String(authority),
    'x-forwarded-for': forwardedFor(request),
    ...(upgrades ? { connection: 'Upgrade', upgrade: upgrade ?? '' } : {}),
    ...(upgrades ? {} : { 'x-forwarded-uri': forwarded }),
  }
}

/** Reports whether a request has a body. */
export function hasBody({ headers, httpVersionMajor, method }: IncomingMessage): boolean {
  const length = headers['content-length']
  if (length !== undefined) return length !== '0'
  if (httpVersionMajor === 1) return headers['transfer-encoding'] !== undefined
  return method !== 'GET' && method !== 'HEAD'
}
