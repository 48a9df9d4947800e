import type { Clock, Timer } from '../meta/clock.ts'
import { guarded } from '../meta/waiting/guarded.ts'

/** Delay before a failed timer callback runs again. */
const againMs = 60_000

/**
 * A clock for background work. An error thrown by a timer's callback is reported, and the callback runs again after a
 * minute: most work sets its next timer itself, and would otherwise stop for good.
 */
export function guardedClock(clock: Clock, report: (error: unknown) => void): Clock {
  return {
    now: () => clock.now(),
    setTimer(callback: () => void, delayMs: number): Timer {
      const run = guarded('guardedClock.timer', failed, callback)
      let timer = clock.setTimer(run, delayMs)
      let isCancelled = false
      function failed(error: unknown): void {
        report(error)
        if (!isCancelled) timer = clock.setTimer(run, againMs)
      }
      return {
        cancel: () => {
          isCancelled = true
          timer.cancel()
        },
      }
    },
  }
}
