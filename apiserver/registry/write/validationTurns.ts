import { pausing } from '../../meta/waiting/steps.ts'
import type { RequestContext } from '../strategy.ts'

/** Size of work that has a turn of the event loop to itself. */
const turnBytes = 64 * 1024

/** Pause of a long validation: others have their turn every few milliseconds. */
export function pauseOf({ turn }: RequestContext): () => Promise<void> | undefined {
  return pausing(() => turn?.(turnBytes) ?? new Promise(setImmediate))
}
