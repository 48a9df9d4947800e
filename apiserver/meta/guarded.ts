import { channel } from 'node:diagnostics_channel'

/** Ends whatever a callback belongs to, with the error that the callback threw for these arguments. It must not throw. */
export type Failed<Args extends unknown[]> = (error: unknown, ...args: Args) => void

/** What a callback threw that the runtime called, with the place in the code that the callback has. */
export class CallbackError extends Error {
  readonly place: string

  constructor(place: string, cause: unknown) {
    super(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'CallbackError'
    this.place = place
  }
}

/** By its name: a part that is loaded late may have a class of its own. */
export function isCallbackError(error: unknown): boolean {
  return error instanceof Error && error.name === 'CallbackError'
}

/** Told of each guarded callback that is about to run. A subscriber that sets `fault` makes it throw that. */
export interface EnteredCallback {
  place: string
  fault: unknown
}

export const enteredCallbacks = 'apiserver:callback'

const entered = channel(enteredCallbacks)

/** A callback for the runtime to call: for a timer, an event, the end of a turn. What it throws ends its owner and goes
 *  no further, since the runtime would end the process. `place` is the callback's alone in the code. */
export function guarded<Callback extends (...args: never[]) => unknown>(
  place: string,
  failed: Failed<Parameters<Callback>>,
  callback: Callback,
): (...args: Parameters<Callback>) => void {
  // A function takes its own parameters.
  const run = callback as (...args: Parameters<Callback>) => unknown
  return (...args) => {
    try {
      enterCallback(place)
      run(...args)
    } catch (error) {
      failed(new CallbackError(place, error), ...args)
    }
  }
}

/** Says that a callback begins, for one that is guarded by its own `try`. */
export function enterCallback(place: string): void {
  if (!entered.hasSubscribers) return
  const callback: EnteredCallback = { place, fault: undefined }
  entered.publish(callback)
  // Whoever injects a fault says what is thrown.
  if (callback.fault !== undefined) throw callback.fault as Error
}
