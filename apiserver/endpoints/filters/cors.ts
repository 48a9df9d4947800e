import { StatusError } from '../../meta/status.ts'
import type { ChainServices } from '../chainServices.ts'
import type { Exchange } from '../exchange.ts'

const allowed = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
}

/** Where origins are set: tells a browser whether the page may call, answers its preflight requests, and refuses
 *  websockets of other pages, which no browser checks by itself. Source: reference 1.3. */
export function allowOrigin(exchange: Exchange, { allowsOrigin }: ChainServices): void {
  const { response, method, request } = exchange
  const { origin } = request.headers
  if (allowsOrigin === undefined || origin === undefined) return
  if (!allowsOrigin(origin)) {
    if (exchange.openWebSocket === undefined) return
    throw new StatusError(403, 'Forbidden', `the origin ${JSON.stringify(origin)} is not allowed`)
  }
  response.setHeader('Access-Control-Allow-Origin', origin)
  for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value)
  if (method === 'OPTIONS') response.writeHead(204).end()
}
