import { channel } from 'node:diagnostics_channel'
import { messageOf } from '../messageOf.ts'

/** Ends the owner of a callback, given the callback's error and arguments. It must not throw. */
export type Failed<Args extends unknown[]> = (error: unknown, ...args: Args) => void

/** An error thrown by a callback that the runtime called, with the callback's place in the code. */
export class CallbackError extends Error {
  readonly place: string

  constructor(place: string, cause: unknown) {
    super(`${place}: ${messageOf(cause)}`, { cause })
    this.name = 'CallbackError'
    this.place = place
  }
}

/**
 * Reports whether an error is a CallbackError, by its name: a part that is loaded later may have its own copy of the
 * class.
 */
export function isCallbackError(error: unknown): boolean {
  return error instanceof Error && error.name === 'CallbackError'
}

/** Published before each guarded callback. If a subscriber sets `fault`, the callback throws it. */
export interface EnteredCallback {
  place: string
  fault: unknown
}

export const enteredCallbacks = 'apiserver:callback'

const entered = channel(enteredCallbacks)

/**
 * Callback for the runtime: of a timer, an event, the end of a turn. If it throws, only its owner ends, whereas the
 * runtime would end the process. `place` identifies the callback in the code.
 */
export function guarded<Callback extends (...args: never[]) => unknown>(
  place: string,
  failed: Failed<Parameters<Callback>>,
  callback: Callback,
): (...args: Parameters<Callback>) => void {
  // Sound: a function accepts its own parameters.
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

/** Announces a callback that is guarded by its own `try`. */
export function enterCallback(place: string): void {
  if (!entered.hasSubscribers) return
  const callback: EnteredCallback = { place, fault: undefined }
  entered.publish(callback)
  // The subscriber decides whether it throws.
  if (callback.fault !== undefined) throw callback.fault as Error
}
