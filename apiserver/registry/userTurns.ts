import { pausing } from '../meta/waiting/steps.ts'
import type { RequestContext } from './strategy.ts'

/** Number of bytes that gets a turn of the event loop to itself. */
const turnBytes = 64 * 1024

/** The next turn of the request's user for long work; without a wait for it, the next turn of the event loop. */
export function userTurn(turn: RequestContext['turn']): Promise<unknown> {
  return turn?.(turnBytes) ?? new Promise(setImmediate)
}

/** Pause of a long validation: every few milliseconds, other requests have priority. */
export function pauseOf({ turn }: RequestContext): () => Promise<void> | undefined {
  return pausing(() => userTurn(turn))
}
