import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Serve } from './serve.ts'
import type { Sink } from './watch/sink.ts'

/** Takes an upgrade through the same chain as any request: its response writes to the socket, unless the handshake
 *  takes it over. */
export async function serveUpgrade(
  serve: Serve,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  // Node gives a net.Socket or a TLS socket here.
  response.assignSocket(socket as Socket)
  let handedOver = false
  response.on('finish', () => {
    if (!handedOver) socket.end()
  })
  const openWebSocket = async (): Promise<Sink> => {
    const { acceptWebSocket } = await import('./watch/acceptWebSocket.ts')
    handedOver = true
    response.detachSocket(socket as Socket)
    const sink = await acceptWebSocket(request, socket, head)
    sink.onClose(() => response.emit('close'))
    return sink
  }
  const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
  await serve(request, response, isWebSocket ? openWebSocket : undefined)
}
