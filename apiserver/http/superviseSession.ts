import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { guarded } from '../meta/waiting/guarded.ts'

interface SessionLimits {
  /** Time after which a session without streams is closed. */
  idleMs: number
  /**
   * Interval of pings; the session is destroyed if the client does not respond to a ping before the
   * next one.
   */
  pingMs: number
  /** Called with server-side errors that ended the session. */
  report: (error: unknown) => void
}

export interface SupervisedSession {
  /** Reports whether there are requests in progress. */
  hasStreams(): boolean
}

/** Time limit for the client to close its side, and for the library to send GOAWAY. */
const goodbyeMs = 1_000

/**
 * Closes unused sessions and their sockets. After a protocol error the library sends GOAWAY and stops reading, without
 * an event and with the connection and its streams left open: only unanswered pings reveal it.
 */
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
  // The library closes the socket after writing everything, which never happens if the client does not read.
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
    // A session may be destroyed long before it closes, and a ping then throws.
    if (!isAnswered || session.destroyed) return end()
    isAnswered = false
    session.ping(() => (isAnswered = true))
  })
  const pings = setInterval(ping, pingMs)
  // One timer for all streams, of which there may be thousands.
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
