import type { Clock } from '../clock.ts'

/** Thrown when work exceeds its time limit; the message names the work and the limit. */
export class DeadlineError extends Error {
  constructor(what: string, ms: number) {
    super(`${what} took more than ${ms / 1000} s`)
    this.name = 'DeadlineError'
  }
}

export interface Bounds {
  clock: Clock
  /** Time limit of the work. */
  ms: number
  /** The work, as named in the message: `opening the plane of cluster one`. */
  what: string
  /** Signals that end the wait earlier. */
  signals?: readonly AbortSignal[]
}

/**
 * Waits for work up to a time limit. Its signal aborts at the limit, and the wait ends, whether the work reacts or not.
 * @throws DeadlineError; the reason of the signal that ended it.
 */
export async function bounded<T>(
  { clock, ms, what, signals = [] }: Bounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const abort = (event: Event) => ending.abort((event.target as AbortSignal).reason) // only listens to signals
  for (const signal of signals) {
    signal.throwIfAborted()
    signal.addEventListener('abort', abort)
  }
  const timer = clock.setTimer(() => ending.abort(new DeadlineError(what, ms)), ms)
  try {
    return await Promise.race([ended(ending.signal), work(ending.signal)])
  } finally {
    timer.cancel()
    for (const signal of signals) signal.removeEventListener('abort', abort)
  }
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(reasonOf(signal)))
  })
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}
