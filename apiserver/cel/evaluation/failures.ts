import { CostExceeded } from '../values/costExceeded.ts'
import { Failure } from '../values/scalars.ts'

/** Result of `run`, or its error as a Failure. @throws CostExceeded. */
export function guarded(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof CostExceeded) throw error
    return new Failure(error)
  }
}

/** Returns a value. @throws the error if the value is a Failure. */
export function given(value: unknown): unknown {
  if (value instanceof Failure) throw value.error
  return value
}
