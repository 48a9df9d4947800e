import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UserInfo } from '../meta/types.ts'
import type { RequestContext } from '../registry/strategy.ts'
import type { Sink } from '../watch/sink.ts'
import type { Plane } from './plane.ts'
import type { RequestInfo } from './requestInfo.ts'

/** One request and its answer on their way through the filter chain. An upgrade to a websocket is an exchange too: its
 *  `response` writes to the socket, until `openWebSocket` takes it. */
export interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  method: string
  plane: Plane
  /** The path below the plane's prefix, without the query. */
  path: string
  query: URLSearchParams
  info: RequestInfo
  auditId: string
  startedMs: number
  /** Anonymous until authentication has said who it is. */
  user: UserInfo
  warnings: Set<string>
  /** For upgrades: completes the handshake and gives the sink of its frames. */
  openWebSocket: (() => Promise<Sink>) | undefined
  /** Run when the answer is complete or the connection is gone. */
  onFinish: (callback: () => void) => void
}

/** The exchange as the registry sees it. */
export function registryContext(exchange: Exchange, dryRun = false): RequestContext {
  return { user: exchange.user, dryRun, warn: (text) => exchange.warnings.add(text) }
}
