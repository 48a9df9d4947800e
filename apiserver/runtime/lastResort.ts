import type { Logger } from './logging.ts'

/** What of a process is listened to. */
export interface ListenedProcess {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}

export interface LastResort {
  /** Errors that reached the process so far. */
  count(): number
  /** Resolves when the process cannot go on. */
  broken: Promise<void>
}

/** What becomes of errors that nobody caught. A rejected promise has unwound through its own clean-up, and an error of a
 *  socket that nobody listens to is about that socket: both are logged, and everything goes on. Anything else left a
 *  callback half done, so that memory may no longer agree with the disk: the process is to stop, as when it is asked to,
 *  and to begin anew from the disk. */
export function lastResort(process: ListenedProcess, log: Pick<Logger, 'error'>): LastResort {
  let count = 0
  const broken = new Promise<void>((resolve) => {
    process.on('unhandledRejection', (err) => {
      count++
      log.error({ err }, 'a promise was rejected, and nobody waited for it')
    })
    process.on('uncaughtException', (err) => {
      count++
      const goesOn = isOfSocket(err)
      log.error({ err }, goesOn ? 'a socket failed unheard' : 'an uncaught error: stopping')
      if (!goesOn) resolve()
    })
  })
  return { count: () => count, broken }
}

const socketCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ENOTCONN'])

function isOfSocket(error: unknown): boolean {
  if (!(error instanceof Error) || !('syscall' in error)) return false
  return 'code' in error && typeof error.code === 'string' && socketCodes.has(error.code)
}
