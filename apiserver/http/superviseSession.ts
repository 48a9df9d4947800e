import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { guarded } from '../meta/guarded.ts'

interface SessionLimits {
  /** Without a stream for so long, a session is closed. */
  idleMs: number
  /** It is pinged so often, and cut where a ping is not answered until the next. */
  pingMs: number
  /** Told of what ended the session, where that is nobody's fault but the server's. */
  report: (error: unknown) => void
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
  { idleMs, pingMs, report }: SessionLimits,
): SupervisedSession {
  let streams = 0
  let isAnswered = true
  function failed(error: unknown): void {
    report(error)
    clearInterval(pings)
    socket.destroy()
  }
  // The library closes the socket when all is written, which is never where nobody reads.
  const end = guarded('superviseSession.end', failed, () => {
    clearInterval(pings)
    clearTimeout(idle)
    session.destroy()
    idle = setTimeout(() => socket.destroy(), goodbyeMs)
  })
  const leave = guarded('superviseSession.leave', failed, () => {
    session.close()
    idle = setTimeout(end, goodbyeMs)
  })
  let idle = setTimeout(leave, idleMs)
  const ping = guarded('superviseSession.ping', failed, () => {
    // It may be destroyed long before it closes, and throws at who pings it then.
    if (!isAnswered || session.destroyed) return end()
    isAnswered = false
    session.ping(() => (isAnswered = true))
  })
  const pings = setInterval(ping, pingMs)
  // One for all streams, of which there may be thousands.
  const streamClosed = guarded('superviseSession.streamClosed', failed, () => {
    if (--streams === 0 && !session.destroyed) idle = setTimeout(leave, idleMs)
  })
  const streamBegan = (stream: ServerHttp2Stream) => {
    streams++
    clearTimeout(idle)
    stream.on('close', streamClosed)
  }
  session.on('stream', guarded('superviseSession.stream', failed, streamBegan))
  session.on('error', end)
  session.once('close', () => {
    clearTimeout(idle)
    clearInterval(pings)
  })
  return { hasStreams: () => streams > 0 }
}
