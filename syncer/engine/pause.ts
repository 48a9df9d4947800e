import type { Clock } from '../../apiserver/meta/clock.ts'

/** Resolves after a while, or as soon as the signal says that nobody waits any more. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = () => {
      timer.cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = clock.setTimer(end, ms)
    signal.addEventListener('abort', end)
  })
}
