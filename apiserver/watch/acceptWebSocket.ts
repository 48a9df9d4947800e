import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { guarded } from '../meta/waiting/guarded.ts'
import type { Framing } from './sink.ts'
import { sliceWrites } from './sliceWrites.ts'
import { WebSocketSink } from './webSocketSink.ts'

const server = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: 64 * 1024,
  handleProtocols: (protocols) => {
    const [first] = protocols
    return first ?? false
  },
})

/**
 * Completes a websocket handshake; resolves to the sink of its frames. For a malformed handshake, the library responds
 * and the promise rejects.
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  { head, framing }: { head: Buffer; framing: Framing },
): Promise<WebSocketSink> {
  return new Promise((resolve, reject) => {
    sliceWrites(socket)
    socket.once('close', () => reject(new Error('the websocket handshake failed')))
    const opened = (webSocket: WebSocket) => resolve(new WebSocketSink(webSocket, framing))
    const failed = (error: unknown) => {
      reject(error instanceof Error ? error : new Error(String(error)))
      socket.destroy()
    }
    server.handleUpgrade(request, socket, head, guarded('acceptWebSocket.opened', failed, opened))
  })
}
