import type { AdmissionRequest } from '../registry/admission.ts'
import { requestTimeout } from '../meta/statusErrors.ts'
import { runPaced, type Steps } from '../meta/waiting/steps.ts'
import { userTurn } from '../registry/userTurns.ts'

/**
 * Runs the review of a request in short turns, so that other requests can run in between: a policy
 * may have many expressions, and each takes up to 100 ms.
 * @throws StatusError 504 if the client no longer waits, or waited too long.
 */
export function inTurns<T>(steps: Steps<T>, request: AdmissionRequest): Promise<T> {
  return runPaced(steps, () => nextTurn(request))
}

function nextTurn({ context, review }: AdmissionRequest): Promise<unknown> {
  if (review.signal?.().aborted === true) throw requestTimeout()
  return userTurn(context.turn)
}
