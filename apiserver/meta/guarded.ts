import { channel } from 'node:diagnostics_channel'

/** Ends whatever a callback belongs to, with the error that the callback threw. It must not throw. */
export type Failed = (error: unknown) => void

/** What a callback threw that the runtime called, with the place in the code that the callback has. */
export class CallbackError extends Error {
  readonly place: string

  constructor(place: string, cause: unknown) {
    super(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'CallbackError'
    this.place = place
  }
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
export function guarded<Args extends unknown[]>(
  place: string,
  failed: Failed,
  callback: (...args: Args) => unknown,
): (...args: Args) => void {
  return (...args) => {
    try {
      enterCallback(place)
      callback(...args)
    } catch (error) {
      failed(new CallbackError(place, error))
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
