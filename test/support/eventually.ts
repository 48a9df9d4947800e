import { setImmediate } from 'node:timers/promises'
import { deadline } from './deadlines.ts'
import type { FakeClock } from './fakes/fakeClock.ts'

/**
 * Lets ready work run, then advances the clock, repeatedly, until `ms` have passed: for code that
 * sets one timer after the other.
 */
export async function untilTimer(clock: FakeClock, ms: number): Promise<void> {
  const end = clock.now() + ms
  await turns()
  while (clock.now() < end) {
    clock.advance(Math.min(10, end - clock.now()))
    await turns()
  }
}

/** Maximum wait of `eventually`, in ms of real time: the work may involve the disk or a thread. */
const longest = deadline(4_000)

/**
 * Waits until `isSo` holds, in turns of the event loop; the clock advances a little, since work may
 * wait for it.
 */
export async function eventually(clock: FakeClock, isSo: () => boolean): Promise<void> {
  const end = performance.now() + longest
  for (let turn = 0; !isSo(); turn++) {
    if (performance.now() > end) throw new Error(`it did not come about in ${String(longest)} ms`)
    await setImmediate()
    clock.advance(turn % 50 === 49 ? 1 : 0)
  }
}

/** Lets all work run that only waits for its turn. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}
