import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a listener, and what they are busy with: so that a listener that closes lets every answer end and
 *  no idle connection hold it up. */
export class Connections {
  /** The newest answer of each connection: HTTP/1.1 answers in order, so it is the last to end. */
  readonly #newest = new Map<Socket, ServerResponse | undefined>()
  #isClosing = false

  /** Follows a connection to its end. */
  add(socket: Socket): void {
    if (this.#newest.has(socket)) return
    this.#newest.set(socket, undefined)
    socket.on('close', () => this.#newest.delete(socket))
  }

  /** An HTTP/1.1 request begins on a connection. */
  began({ socket }: IncomingMessage, response: ServerResponse): void {
    if (!this.#newest.has(socket)) return
    this.#newest.set(socket, response)
    if (this.#isClosing) this.#closeAfter(socket, response)
  }

  /** Ends what is idle now, and the rest as it becomes idle. Connections of HTTP/2 are their session's to end. */
  close(isHttp2: (socket: Socket) => boolean): void {
    this.#isClosing = true
    for (const [socket, newest] of this.#newest) {
      if (newest !== undefined && !newest.closed) this.#closeAfter(socket, newest)
      else if (!isHttp2(socket)) socket.destroySoon()
    }
  }

  /** Cuts what is left. */
  destroy(): void {
    for (const socket of this.#newest.keys()) socket.destroy()
  }

  #closeAfter(socket: Socket, response: ServerResponse): void {
    endsConnection(response)
    response.once('close', () => {
      if (this.#newest.get(socket) === response) socket.destroySoon()
    })
  }
}

/** Tells the client that this is the last answer on its connection. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
