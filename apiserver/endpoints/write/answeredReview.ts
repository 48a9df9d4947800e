import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest, AdmissionTarget } from '../../registry/admission.ts'
import type { AdmissionOperation } from '../../registry/review.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import type { AnsweredTarget } from '../handlers/handleRequest.ts'
import { clientReview } from './clientReview.ts'

interface Answered {
  operation: AdmissionOperation
  dryRun: boolean
  object?: ApiObject
  /** Returns the old object, if a reviewer needs it. */
  old?: () => ApiObject | Promise<ApiObject>
}

/**
 * Admits a write that is not stored: of a subresource of another kind, or a review. Returns the resulting object.
 * @throws StatusError.
 */
export async function admitAnswered(
  exchange: Exchange,
  { resource: kind, parent, object: place }: AnsweredTarget,
  { operation, dryRun, object, old }: Answered,
): Promise<ApiObject | undefined> {
  const target = reviewedTarget(operation, kind, parent)
  const steps = exchange.plane.admission?.stepsOf(target)
  if (steps === undefined) return object
  const request: AdmissionRequest = {
    ...target,
    namespace: place.namespace,
    name: place.name || (object?.metadata.name ?? ''),
    object,
    oldObject: await old?.(),
    context: registryContext(exchange, dryRun),
    review: clientReview(exchange),
  }
  for (const step of [steps.mutate, steps.validate, steps.charge]) await step?.(request)
  return request.object
}

/** Target of a review: the kind itself, or a subresource of its parent kind. */
function reviewedTarget(
  operation: AdmissionOperation,
  kind: AnsweredTarget['resource'],
  parent: AnsweredTarget['parent'],
): AdmissionTarget {
  if (parent === undefined) return { operation, resource: kind, subresource: '', kind }
  return { operation, resource: parent.resource, subresource: parent.subresource.name, kind }
}
