import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest } from '../../registry/admission.ts'
import type { AdmissionOperation } from '../../registry/review.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import type { AnsweredTarget } from '../handlers/handleRequest.ts'
import { clientReview } from './clientReview.ts'

interface Answered {
  operation: AdmissionOperation
  dryRun: boolean
  object?: ApiObject
  /** Asked for when somebody reviews the write. */
  old?: () => ApiObject | Promise<ApiObject>
}

/** Admits a write that no store stands behind: a subresource of another kind, or a review. Gives the object to go on
 *  with. @throws StatusError. */
export async function admitAnswered(
  exchange: Exchange,
  { resource: kind, parent, object: place }: AnsweredTarget,
  { operation, dryRun, object, old }: Answered,
): Promise<ApiObject | undefined> {
  const target = {
    operation,
    resource: parent?.resource ?? kind,
    subresource: parent?.subresource.name ?? '',
    kind,
  }
  const steps = exchange.plane.admission?.stepsOf(target)
  if (steps === undefined) return object
  const request: AdmissionRequest = {
    ...target,
    namespace: place.namespace,
    name: place.name === '' ? (object?.metadata.name ?? '') : place.name,
    object,
    oldObject: await old?.(),
    context: registryContext(exchange, dryRun),
    review: clientReview(exchange),
  }
  await steps.mutate(request)
  await steps.validate(request)
  await steps.charge(request)
  return request.object
}
