import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isCallbackError } from '../meta/waiting/guarded.ts'
import { badRequest } from '../meta/statusErrors.ts'
import type { Serve } from './serve.ts'
import type { Framing, Sink } from '../watch/sink.ts'

/**
 * Serves an upgrade through the same chain as any request: its response writes to the socket, unless the
 * handshake takes the socket.
 */
export async function serveUpgrade(
  serve: Serve,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const { response, connection } = lastAnswer(request, socket)
  let handedOver = false
  response.on('finish', () => {
    // Node no longer manages this connection: a client that keeps its side open would keep it forever.
    if (!handedOver) connection.destroySoon()
  })
  const openWebSocket = async (framing: Framing): Promise<Sink> => {
    if (request.headers['sec-websocket-protocol']?.includes(',') === true)
      throw badRequest('a websocket may offer one subprotocol')
    const { acceptWebSocket } = await import('../watch/acceptWebSocket.ts')
    handedOver = true
    response.detachSocket(connection)
    // The exchange ends with the connection, even if the handshake fails.
    connection.once('close', () => response.emit('close'))
    try {
      return await acceptWebSocket(request, connection, { head, framing })
    } catch (error) {
      if (isCallbackError(error)) throw error
      throw badRequest('the websocket handshake failed', error)
    }
  }
  const takeSocket = () => {
    handedOver = true
    response.detachSocket(connection)
    connection.once('close', () => response.emit('close'))
    return { socket: connection, head }
  }
  await serve(request, response, openWebSocket, takeSocket)
}

/**
 * Serves a CONNECT request through the chain as well, with an empty path, which is never found: authorized clients get
 * 404, and the connection ends. Source: Go's net/http, whose servers give an authority no path.
 */
export async function serveConnect(
  serve: Serve,
  request: IncomingMessage,
  socket: Duplex,
): Promise<void> {
  const { response, connection } = lastAnswer(request, socket)
  response.on('finish', () => connection.destroySoon())
  request.url = ''
  await serve(request, response)
}

/** The last response on a connection that Node has released. */
function lastAnswer(request: IncomingMessage, socket: Duplex) {
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  // Sound: Node passes a net.Socket or a TLS socket here.
  const connection = socket as Socket
  response.shouldKeepAlive = false
  response.assignSocket(connection)
  // Node does this only for connections that it manages.
  connection.on('drain', () => response.emit('drain'))
  return { response, connection }
}
