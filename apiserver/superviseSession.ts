import type { ServerHttp2Session } from 'node:http2'

interface SessionLimits {
  /** Without a stream for so long, a session is closed. */
  idleMs: number
  /** It is pinged so often, and cut where a ping is not answered until the next. */
  pingMs: number
}

/** How long a client may take to close its side. */
const goodbyeMs = 1_000

/** Ends sessions that nobody uses any more. After an error of the protocol the library says goodbye and reads on no more,
 *  without a word to us and with the connection and its streams left open: only that no ping is answered shows it. */
export function superviseSession(
  session: ServerHttp2Session,
  { idleMs, pingMs }: SessionLimits,
): void {
  let streams = 0
  let isAnswered = true
  const leave = (): void => {
    session.close()
    idle = setTimeout(() => session.destroy(), goodbyeMs)
  }
  let idle = setTimeout(leave, idleMs)
  const pings = setInterval(() => {
    if (!isAnswered) return session.destroy()
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
  session.on('error', () => session.destroy())
  session.once('close', () => {
    clearTimeout(idle)
    clearInterval(pings)
  })
}
