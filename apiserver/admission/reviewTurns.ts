import type { AdmissionRequest } from '../registry/admission.ts'
import { timeout } from '../meta/statusErrors.ts'
import { runPaced, type Steps } from '../meta/waiting/steps.ts'

/** Number of bytes that gets a turn of the event loop to itself. */
const turnBytes = 64 * 1024

/**
 * Runs the review of a request in short turns, so that other requests can run in between: a policy
 * may have many expressions, and each takes up to 100 ms.
 * @throws StatusError 504 if the client no longer waits, or waited too long.
 */
export function inTurns<T>(steps: Steps<T>, request: AdmissionRequest): Promise<T> {
  return runPaced(steps, () => nextTurn(request))
}

function nextTurn({ context, review }: AdmissionRequest): Promise<unknown> {
  if (review.signal?.().aborted === true)
    throw timeout('request did not complete within requested timeout')
  return context.turn?.(turnBytes) ?? new Promise(setImmediate)
}
