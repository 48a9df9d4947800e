import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../endpoints/exchange.ts'
import { cleanHeaders, forwardedFor } from './forwardedHeaders.ts'
import type { Headers } from './userHeaders.ts'

interface Placed {
  upgrades: boolean
  /** Path of the request as seen by the clients of this server. */
  forwarded: string
}

/** Headers of a request to a pod, service or node: the client's headers without its credentials. */
export function placeHeaders(exchange: Exchange, { upgrades, forwarded }: Placed): Headers {
  const { request } = exchange
  const { host = '', ':authority': authority = host } = request.headers
  const { upgrade } = request.headers
  return {
    ...cleanHeaders(request, hasBody(request)),
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
