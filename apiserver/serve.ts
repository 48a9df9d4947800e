import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sink } from './watch/sink.ts'

/** Answers a request; an upgrade brings the function that completes the handshake. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  openWebSocket?: () => Promise<Sink>,
) => Promise<void>
