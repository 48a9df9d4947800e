import type { Logger } from './logging.ts'

/** The part of `process` that is used here. */
export interface ListenedProcess {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
}

export interface LastResort {
  /** Number of uncaught errors so far. */
  count(): number
  /** Resolves when the process cannot continue safely. */
  broken: Promise<void>
}

/**
 * Handles uncaught errors. A rejected promise has run its own clean-up, and an error of a socket without a listener
 * concerns that socket only: both are logged and the server continues. Any other uncaught error interrupted a callback,
 * so memory may no longer agree with the disk: the process shuts down as on a signal, and restarts from the disk.
 */
export function lastResort(process: ListenedProcess, log: Pick<Logger, 'error'>): LastResort {
  let count = 0
  const broken = new Promise<void>((resolve) => {
    process.on('unhandledRejection', (err) => {
      count++
      log.error({ err }, 'unhandled promise rejection')
    })
    process.on('uncaughtException', (err) => {
      count++
      const goesOn = isOfSocket(err)
      log.error({ err }, goesOn ? 'unhandled socket error' : 'uncaught error; stopping')
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
