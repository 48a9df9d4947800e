import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'

interface SessionLimits {
  /** Without a stream for so long, a session is closed. */
  idleMs: number
  /** It is pinged so often, and cut where a ping is not answered until the next. */
  pingMs: number
}

export interface SupervisedSession {
  /** Something is asked on it, or being answered. */
  hasStreams(): boolean
}

/** How long a client may take to close its side, and the library to say goodbye. */
const goodbyeMs = 1_000

/** Ends sessions that nobody uses any more, and their sockets. After an error of the protocol the library says goodbye and
 *  reads on no more, without a word to us and with the connection and its streams left open: only that no ping is
 *  answered shows it. */
export function superviseSession(
  session: ServerHttp2Session,
  socket: Socket,
  { idleMs, pingMs }: SessionLimits,
): SupervisedSession {
  let streams = 0
  let isAnswered = true
  // The library closes the socket when all is written, which is never where nobody reads.
  const end = (): void => {
    clearInterval(pings)
    clearTimeout(idle)
    session.destroy()
    idle = setTimeout(() => socket.destroy(), goodbyeMs)
  }
  const leave = (): void => {
    session.close()
    idle = setTimeout(end, goodbyeMs)
  }
  let idle = setTimeout(leave, idleMs)
  const pings = setInterval(() => {
    // It may be destroyed long before it closes, and throws at who pings it then.
    if (!isAnswered || session.destroyed) return end()
    isAnswered = false
    session.ping(() => (isAnswered = true))
  }, pingMs)
  // One for all streams, of which there may be thousands.
  const streamClosed = (): void => {
    if (--streams === 0 && !session.destroyed) idle = setTimeout(leave, idleMs)
  }
  session.on('stream', (stream) => {
    streams++
    clearTimeout(idle)
    stream.on('close', streamClosed)
  })
  session.on('error', end)
  session.once('close', () => {
    clearTimeout(idle)
    clearInterval(pings)
  })
  return { hasStreams: () => streams > 0 }
}
