import type { ApiObject } from '../../meta/types.ts'

/** Conversion of objects by another program. */
export interface RemoteConversion {
  /**
   * Objects in the version `apiVersion`, in order. Objects that already have that version are not sent.
   * @throws StatusError 500 without a reason.
   */
  convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]>
  /** Copy of an object in another version, from a recent conversion. @throws PendingConversion if there was none. */
  converted(object: ApiObject, apiVersion: string): ApiObject
}

/**
 * Interrupts a computation that needs a conversion first: it may be repeated after `done`, which rejects if that
 * failed.
 */
export class PendingConversion extends Error {
  readonly done: Promise<unknown>

  constructor(done: Promise<unknown>) {
    super('an object is not converted yet')
    this.done = done
    // Only callers that repeat the computation await it.
    done.catch(() => undefined)
  }
}

/** Maximum number of repetitions, more than the managed fields of one object can require. */
const mostRounds = 200

/**
 * Result of a computation, which is repeated after each conversion that it needs. Without any, it runs in the caller's
 * turn.
 */
export function whenConverted<T>(compute: () => T | Promise<T>): T | Promise<T> {
  try {
    const result = compute()
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => afterConversion(error, compute))
  } catch (error) {
    return afterConversion(error, compute)
  }
}

async function afterConversion<T>(error: unknown, compute: () => T | Promise<T>): Promise<T> {
  let pending = error
  for (let round = 0; pending instanceof PendingConversion && round < mostRounds; round++) {
    await pending.done
    try {
      return await compute()
    } catch (next) {
      pending = next
    }
  }
  throw pending
}
