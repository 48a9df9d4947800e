import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { badRequest } from './meta/statusErrors.ts'
import type { Serve } from './serve.ts'
import type { Framing, Sink } from './watch/sink.ts'

/** Takes the offer of a websocket through the same chain as any request: its response writes to the socket, unless the
 *  handshake takes it over. */
export async function serveUpgrade(
  serve: Serve,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  // Node gives a net.Socket or a TLS socket here.
  const connection = socket as Socket
  response.shouldKeepAlive = false
  response.assignSocket(connection)
  let handedOver = false
  response.on('finish', () => {
    // Node does no longer look after this connection: a client that keeps its side open would stay for ever.
    if (!handedOver) connection.destroySoon()
  })
  const openWebSocket = async (framing: Framing): Promise<Sink> => {
    if (request.headers['sec-websocket-protocol']?.includes(',') === true)
      throw badRequest('a websocket may offer one subprotocol')
    const { acceptWebSocket } = await import('./watch/acceptWebSocket.ts')
    handedOver = true
    response.detachSocket(connection)
    // The exchange ends with the connection, also where the handshake fails.
    connection.once('close', () => response.emit('close'))
    try {
      return await acceptWebSocket(request, connection, { head, framing })
    } catch (error) {
      throw badRequest('the websocket handshake failed', error)
    }
  }
  await serve(request, response, openWebSocket)
}
