import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Exchange } from '../endpoints/exchange.ts'
import { userHeaders, type Headers } from './userHeaders.ts'

/** Hop-by-hop headers. Source: RFC 9110, section 7.6.1. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
])
/** Headers that only this server may set. */
const ownHeaders = /^(?:x-remote-|impersonate-)/
const bearerProtocol = /^base64url\.bearer\.authorization\.k8s\.io\./

export interface ForwardedTo {
  /** Host and port of the other server. */
  host: string
  /** Path including the query. */
  path: string
}

/** Headers of a request to another server, with the user in place of the credentials. */
export function forwardedHeaders(exchange: Exchange, { host, path }: ForwardedTo): Headers {
  const { request, user, auditId, method } = exchange
  return {
    ...cleanHeaders(request, !isBodiless(method)),
    'audit-id': auditId,
    'x-forwarded-for': forwardedFor(request),
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': path.split('?', 1)[0] ?? '',
    ...userHeaders(user),
  }
}

/**
 * Headers for another server, without credentials and without headers that only this server may
 * set.
 */
export function cleanHeaders(request: IncomingMessage, hasBody: boolean): Headers {
  const headers = endToEnd(request.headers)
  delete headers['authorization']
  delete headers['host']
  for (const name of Object.keys(headers)) {
    if (name.startsWith(':') || ownHeaders.test(name)) delete headers[name]
  }
  const protocols = offeredProtocols(request)
  if (protocols.length > 0) headers['sec-websocket-protocol'] = protocols.join(', ')
  else delete headers['sec-websocket-protocol']
  if (!hasBody) delete headers['content-length']
  else if (headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  return headers
}

/** Addresses that the request passed through, the direct client's last. */
export function forwardedFor({ headers, socket }: IncomingMessage): string {
  const before = headers['x-forwarded-for']
  const client = socket.remoteAddress ?? ''
  return before === undefined ? client : `${String(before)}, ${client}`
}

/** Reports whether a body is meaningless for this method and not forwarded. */
export function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Headers without hop-by-hop headers. */
export function endToEnd(headers: IncomingHttpHeaders): Headers {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] =>
      entry[1] !== undefined && !ofConnection.has(entry[0]) && !named.includes(entry[0]),
  )
  return Object.fromEntries(kept)
}

/** Subprotocols offered for a websocket; one of them may contain the credential. */
function offeredProtocols({ headers }: IncomingMessage): string[] {
  return String(headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !bearerProtocol.test(protocol))
}
