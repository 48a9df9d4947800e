import type { Clock } from '../../apiserver/meta/clock.ts'

/** Resolves after a delay, or as soon as the signal aborts. */
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
