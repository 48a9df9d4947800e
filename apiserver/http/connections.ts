import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guarded } from '../meta/guarded.ts'
import type { ConnectionPlaces } from './connectionPlaces.ts'

interface Use {
  /** The newest answer: HTTP/1.1 answers in order, so it is the last to end. */
  newest: ServerResponse | undefined
  /** For what is more than answers in order; undefined: the newest answer says it. */
  isBusy: (() => boolean) | undefined
  /** Gives the place back; of no effect from the second time on. */
  leave: () => void
}

/** How many idle connections go at once where there is no place for one more: they are looked for among all. */
const leavingAtOnce = 32

/** How long, and how much, a client may go on sending after it was answered. */
const sendingMs = 500
const sentAtMost = 64 * 1024 * 1024

/** The connections of a listener, and what they are busy with: so that a listener that closes lets every answer end and
 *  no idle connection hold it up, and so that where there is no place for one more those go that were idle for longest. */
export class Connections {
  readonly #places: ConnectionPlaces
  readonly #report: (error: unknown) => void
  /** Those that were used last stand last. */
  readonly #uses = new Map<Socket, Use>()
  /** Those that are still to be encrypted, by their other end. */
  readonly #bare = new Map<string, Socket>()
  #isClosing = false

  /** `report` is told of what fails for a connection beside what it is busy with. */
  constructor(places: ConnectionPlaces, report: (error: unknown) => void) {
    this.#places = places
    this.#report = report
    places.share(() => this.#yieldIdle())
  }

  /** Follows a connection to its end, which is now where there is no place for it. */
  add(socket: Socket): void {
    const leave = this.#places.take()
    if (leave === undefined) socket.destroy()
    else this.#follow(socket, { newest: undefined, isBusy: undefined, leave })
  }

  /** Follows a connection that is to be encrypted. */
  addBare(socket: Socket): void {
    const end = otherEnd(socket)
    this.#bare.set(end, socket)
    const closed = () => this.#bare.get(end) === socket && this.#bare.delete(end)
    socket.on('close', guarded('connections.bareClosed', this.#report, closed))
    this.add(socket)
  }

  /** A connection is encrypted, and keeps its place. */
  encrypted(socket: Socket): void {
    const end = otherEnd(socket)
    const bare = this.#bare.get(end)
    const use = bare && this.#uses.get(bare)
    if (bare === undefined || use === undefined) return this.add(socket)
    this.#bare.delete(end)
    this.#uses.delete(bare)
    this.#follow(socket, use)
  }

  /** An HTTP/1.1 request begins on a connection. */
  began({ socket }: IncomingMessage, response: ServerResponse): void {
    const use = this.#uses.get(socket)
    if (use === undefined) return
    use.newest = response
    this.#uses.delete(socket)
    this.#uses.set(socket, use)
    if (this.#isClosing) this.#closeAfter(socket, response)
  }

  /** From now on `isBusy` says whether the connection is idle: it is another protocol's. */
  lent(socket: Socket, isBusy: () => boolean): void {
    const use = this.#uses.get(socket)
    if (use !== undefined) use.isBusy = isBusy
  }

  /** Ends what is idle now, and the rest as it becomes idle. Connections of HTTP/2 are their session's to end. */
  close(isHttp2: (socket: Socket) => boolean): void {
    this.#isClosing = true
    for (const [socket, { newest }] of this.#uses) {
      if (newest !== undefined && !newest.closed) this.#closeAfter(socket, newest)
      else if (!isHttp2(socket)) socket.destroySoon()
    }
  }

  /** Cuts what is left. */
  destroy(): void {
    for (const socket of this.#uses.keys()) socket.destroy()
  }

  #follow(socket: Socket, use: Use): void {
    this.#uses.set(socket, use)
    const destroySoon = socket.destroySoon.bind(socket)
    // What the runtime calls after the last answer on a connection.
    socket.destroySoon = () => {
      if (isSending(use)) letSend(socket, use)
      else destroySoon()
    }
    const closed = () => {
      // A connection that was encrypted since is another's to follow.
      if (this.#uses.delete(socket)) use.leave()
    }
    socket.on('close', guarded('connections.closed', this.#report, closed))
  }

  #yieldIdle(): number {
    let left = 0
    for (const [socket, use] of this.#uses) {
      if (left === leavingAtOnce) break
      if (isBusy(use)) continue
      this.#uses.delete(socket)
      use.leave()
      socket.destroy()
      left++
    }
    return left
  }

  #closeAfter(socket: Socket, response: ServerResponse): void {
    endsConnection(response)
    const answered = () => {
      if (this.#uses.get(socket)?.newest === response) socket.destroySoon()
    }
    response.once('close', guarded('connections.answered', this.#report, answered))
  }
}

function isBusy({ newest, isBusy: lent }: Use): boolean {
  return lent === undefined ? newest !== undefined && !newest.closed : lent()
}

/** Whether the client has its answer while it still sends what that was about. */
function isSending({ newest, isBusy: lent }: Use): boolean {
  return lent === undefined && newest?.writableEnded === true && !newest.req.complete
}

/** Closed at once, a connection would be reset by what still comes in, and many clients read no answer then. Nothing of it
 *  is kept. */
function letSend(socket: Socket, { newest }: Use): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), sendingMs)
  socket.once('close', () => clearTimeout(timer))
  const before = socket.bytesRead
  newest?.req.on('data', () => {
    if (socket.bytesRead - before > sentAtMost) socket.destroy()
  })
  newest?.req.once('end', () => socket.destroy())
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** Tells the client that this is the last answer on its connection. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
