import type { Clock, Timer } from '../meta/clock.ts'

/** Maximum delay of a timer: Node fires a longer one at once, so longer delays are split into several timers. */
const longestDelayMs = 2 ** 31 - 1

/** The system clock. */
export const realClock: Clock = {
  now: () => Date.now(),

  setTimer(callback: () => void, delayMs: number): Timer {
    let handle: NodeJS.Timeout
    const wait = (leftMs: number) => {
      handle = setTimeout(
        () => (leftMs > longestDelayMs ? wait(leftMs - longestDelayMs) : callback()),
        Math.min(leftMs, longestDelayMs),
      )
    }
    wait(delayMs)
    return { cancel: () => clearTimeout(handle) }
  },
}
