import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a listener, and what they are busy with: so that a listener that closes lets every answer end and
 *  no idle connection hold it up. */
export class Connections {
  readonly #running = new Map<Socket, Set<ServerResponse>>()
  #isClosing = false

  /** Follows a connection to its end. */
  add(socket: Socket): void {
    if (this.#running.has(socket)) return
    this.#running.set(socket, new Set())
    socket.once('close', () => this.#running.delete(socket))
  }

  /** An HTTP/1.1 request begins on a connection. */
  began({ socket }: IncomingMessage, response: ServerResponse): void {
    const running = this.#running.get(socket)
    if (running === undefined) return
    running.add(response)
    if (this.#isClosing) endsConnection(response)
    response.once('close', () => {
      running.delete(response)
      if (this.#isClosing && running.size === 0) socket.destroySoon()
    })
  }

  /** Ends what is idle now, and the rest as it becomes idle. Connections of HTTP/2 are their session's to end. */
  close(isHttp2: (socket: Socket) => boolean): void {
    this.#isClosing = true
    for (const [socket, running] of this.#running) {
      for (const response of running) endsConnection(response)
      if (running.size === 0 && !isHttp2(socket)) socket.destroySoon()
    }
  }

  /** Cuts what is left. */
  destroy(): void {
    for (const socket of this.#running.keys()) socket.destroy()
  }
}

/** Tells the client that this is the last answer on its connection. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
