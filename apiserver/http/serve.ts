import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Framing, Sink } from '../watch/sink.ts'

/** Serves a request; an upgrade has functions that complete the handshake, or hand over the socket. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  openWebSocket?: (framing: Framing) => Promise<Sink>,
  takeSocket?: () => { socket: Duplex; head: Buffer },
) => Promise<void>
