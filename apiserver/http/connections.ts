import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guarded } from '../meta/waiting/guarded.ts'
import type { ConnectionPlaces } from './connectionPlaces.ts'

interface Use {
  /** The newest response: HTTP/1.1 responds in order, so it is the last to end. */
  newest: ServerResponse | undefined
  /** Reports whether another protocol uses the connection; undefined: the newest response decides. */
  isBusy: (() => boolean) | undefined
  /** Releases the slot; further calls have no effect. */
  leave: () => void
}

/**
 * Number of idle connections closed at once if no slot is free, since finding them scans all
 * connections.
 */
const leavingAtOnce = 32

/** Limits of a request that a client still sends after the response: milliseconds and bytes. */
const sendingMs = 500
const sentAtMost = 64 * 1024 * 1024

/**
 * The connections of a listener and their activity: closing the listener waits for responses but
 * not for idle connections, and if no slot is free, the connections that were idle longest are
 * closed.
 */
export class Connections {
  readonly #places: ConnectionPlaces
  readonly #report: (error: unknown) => void
  /** Connections, most recently used last. */
  readonly #uses = new Map<Socket, Use>()
  /** TCP connections before the TLS handshake, by remote address. */
  readonly #bare = new Map<string, Socket>()
  #isClosing = false

  /** `report` is called with errors of connections outside of requests. */
  constructor(places: ConnectionPlaces, report: (error: unknown) => void) {
    this.#places = places
    this.#report = report
    places.share(() => this.#yieldIdle())
  }

  /** Tracks a connection until its end; closes it if no slot is free. */
  add(socket: Socket): void {
    const leave = this.#places.take()
    if (leave === undefined) socket.destroy()
    else this.#follow(socket, { newest: undefined, isBusy: undefined, leave })
  }

  /** Tracks a connection before its TLS handshake. */
  addBare(socket: Socket): void {
    const end = otherEnd(socket)
    this.#bare.set(end, socket)
    const closed = () => this.#bare.get(end) === socket && this.#bare.delete(end)
    socket.on('close', guarded('connections.bareClosed', this.#report, closed))
    this.add(socket)
  }

  /** Tracks a connection after its TLS handshake; it keeps its slot. */
  encrypted(socket: Socket): void {
    const end = otherEnd(socket)
    const bare = this.#bare.get(end)
    const use = bare && this.#uses.get(bare)
    if (bare === undefined || use === undefined) return this.add(socket)
    this.#bare.delete(end)
    this.#uses.delete(bare)
    this.#follow(socket, use)
  }

  /** Records the start of an HTTP/1.1 request on a connection. */
  began({ socket }: IncomingMessage, response: ServerResponse): void {
    const use = this.#uses.get(socket)
    if (use === undefined) return
    use.newest = response
    this.#uses.delete(socket)
    this.#uses.set(socket, use)
    if (this.#isClosing) this.#closeAfter(socket, response)
  }

  /** Transfers a connection to another protocol; from then on `isBusy` reports whether it is in use. */
  lent(socket: Socket, isBusy: () => boolean): void {
    const use = this.#uses.get(socket)
    if (use !== undefined) use.isBusy = isBusy
  }

  /**
   * Closes idle connections now, and the others as they become idle. HTTP/2 connections are closed by their session.
   */
  close(isHttp2: (socket: Socket) => boolean): void {
    this.#isClosing = true
    for (const [socket, { newest }] of this.#uses) {
      if (newest !== undefined && !newest.closed) this.#closeAfter(socket, newest)
      else if (!isHttp2(socket)) socket.destroySoon()
    }
  }

  /** Destroys the remaining connections. */
  destroy(): void {
    for (const socket of this.#uses.keys()) socket.destroy()
  }

  #follow(socket: Socket, use: Use): void {
    this.#uses.set(socket, use)
    const destroySoon = socket.destroySoon.bind(socket)
    // Called by the runtime after the last response on a connection.
    socket.destroySoon = () => {
      if (isSending(use)) letSend(socket, use)
      else destroySoon()
    }
    const closed = () => {
      // A connection with TLS is followed by its TLS socket.
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

/** Reports whether the client has its response but is still sending the request. */
function isSending({ newest, isBusy: lent }: Use): boolean {
  return lent === undefined && newest?.writableEnded === true && !newest.req.complete
}

/**
 * Lets the client finish sending, and discards the data. Closing at once would reset the connection
 * because of incoming data, and many clients would then not read the response.
 */
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

/** Tells the client that this is the last response on the connection. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
