import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../endpoints/exchange.ts'
import { start, writeText } from '../endpoints/response/response.ts'
import { connectionProblem, type Endpoint } from '../webhooks/connectionProblem.ts'
import { exchangeWith } from './exchangeWith.ts'
import type { RemoteService } from './remoteService.ts'
import type { Connections } from './remoteConnections.ts'
import { forwardedHeaders, isBodiless } from './forwardedHeaders.ts'
import { streamBack } from './streamBack.ts'

export interface Passing {
  connections: Connections
  remote: RemoteService
  endpoint: Endpoint
  /** Path including the query, without the prefix of the plane. */
  path: string
}

/**
 * Forwards a request to another server and streams its response back. Resolves when the exchange ends.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function passOn(
  exchange: Exchange,
  { connections, remote, endpoint, path }: Passing,
): Promise<void> {
  const { request, method, takeSocket } = exchange
  const { upgrade } = request.headers
  const upgrades = takeSocket !== undefined && upgrade !== undefined
  const host = `${endpoint.host}:${endpoint.port}`
  const headers = forwardedHeaders(exchange, { host, path })
  if (upgrades) Object.assign(headers, { connection: 'Upgrade', upgrade })
  const outgoing = connections.open(remote, endpoint, { method, path, headers }, upgrades)
  return exchangeWith(outgoing, exchange, {
    answered: (answer) => sendBack(exchange, answer),
    failed: (error) => {
      const why = connectionProblem(error, endpoint)
      writeText(exchange, 503, `error trying to reach service: ${why}\n`)
    },
    upgrades,
    hasBody: !isBodiless(method),
  })
}

/** Sends a response back; redirects are refused. */
function sendBack(exchange: Exchange, answer: IncomingMessage): void {
  const { statusCode: code = 502, headers } = answer
  if (code < 300 || code >= 400 || headers.location === undefined) {
    return streamBack(exchange, answer)
  }
  answer.destroy()
  const text = 'the backend attempted to redirect this request, which is not permitted'
  start(exchange, 502, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  exchange.response.end(text)
}
