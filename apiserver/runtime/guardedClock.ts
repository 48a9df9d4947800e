import type { Clock, Timer } from '../meta/clock.ts'
import { guarded } from '../meta/guarded.ts'

/** So long after it failed, what a timer was to do is tried again. */
const againMs = 60_000

/** The clock of work that belongs to nobody's request. What a timer's callback throws is reported, and the callback runs
 *  again after a minute: most work sets its next timer itself, and would never come back. */
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
