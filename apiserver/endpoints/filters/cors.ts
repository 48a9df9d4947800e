import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'
import { foreignOrigin, isForeignOrigin } from '../foreignOrigin.ts'

/**
 * Headers of the platform's browser client, in addition to the headers that every server allows.
 * Source: platform facts 3.4.
 */
const clientHeaders = [
  ...['X-Platform-Client', 'X-Sleep-Mode-Ignore'],
  ...['Impersonate-User', 'Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Joined-Group'],
].join(', ')

const allowed = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers': `Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since, ${clientHeaders}`,
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
}

/**
 * Handles CORS if origins are configured: tells a browser whether the page is allowed, answers its preflight requests,
 * and refuses websockets of other pages, which browsers do not check. Source: reference 1.3.
 */
export function allowOrigin(exchange: Exchange, { allowsOrigin }: ChainServices): void {
  const { response, method, request } = exchange
  const { origin } = request.headers
  if (allowsOrigin === undefined || origin === undefined) return
  if (!allowsOrigin(origin)) {
    if (exchange.openWebSocket === undefined || !isForeignOrigin(request.headers)) return
    throw foreignOrigin(origin)
  }
  response.setHeader('Access-Control-Allow-Origin', origin)
  for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value)
  if (method === 'OPTIONS') response.writeHead(204).end()
}
