import type { Clock, Random } from '../../meta/clock.ts'
import { DelegateError } from './delegateError.ts'

export interface RetryOptions {
  clock: Clock
  random: Random
  /** Aborted when callers no longer wait. */
  closed: AbortSignal
}

/** Retry parameters. Source: the API machinery's defaults for reviews. */
const steps = 5
const firstMs = 500
const factor = 1.5
const jitter = 0.2

/** Sends a request up to five times, as long as its error is temporary. @throws the last error. */
export async function withRetries<T>(ask: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let step = 1, delayMs = firstMs; ; step++, delayMs *= factor) {
    try {
      return await ask()
    } catch (error) {
      const mayPass = error instanceof DelegateError && error.isPassing
      if (step === steps || !mayPass || options.closed.aborted) throw error
    }
    await pause(delayMs * (1 + options.random.fraction() * jitter), options)
  }
}

/** Waits; returns early if callers no longer wait. */
export function pause(
  delayMs: number,
  { clock, closed }: Pick<RetryOptions, 'clock' | 'closed'>,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timer.cancel()
      closed.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.setTimer(end, delayMs)
    closed.addEventListener('abort', end)
    if (closed.aborted) end()
  })
}
