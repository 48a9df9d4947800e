import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Framing, Sink } from '../watch/sink.ts'

/** Serves a request; an upgrade has a function that completes the handshake. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  openWebSocket?: (framing: Framing) => Promise<Sink>,
) => Promise<void>
