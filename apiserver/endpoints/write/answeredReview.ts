import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest, AdmissionTarget } from '../../registry/admission.ts'
import type { AdmissionOperation } from '../../registry/review.ts'
import type { AnswerAdmission } from '../../registry/answers.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import type { AnsweredTarget } from '../handlers/handleRequest.ts'
import { withManager } from './answeredFields.ts'
import { clientReview } from './clientReview.ts'
import type { WriteOptions } from './writeOptions.ts'

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
  target: AnsweredTarget,
  { operation, dryRun, object, old }: Answered,
): Promise<ApiObject | undefined> {
  const reviewed = reviewOf(exchange, target, { operation, dryRun })
  if (reviewed === undefined) return object
  const { steps, requestOf } = reviewed
  const request = requestOf(object, await old?.())
  for (const step of [steps.mutate, steps.validate, steps.charge]) await step?.(request)
  return request.object
}

/** Admission for handlers that call it themselves; undefined: nothing reviews the write. */
export function answerAdmission(
  exchange: Exchange,
  target: AnsweredTarget,
  operation: AdmissionOperation,
  options: WriteOptions,
): AnswerAdmission | undefined {
  const reviewed = reviewOf(exchange, target, { operation, dryRun: options.dryRun })
  if (reviewed === undefined) return undefined
  const { steps, requestOf } = reviewed
  return {
    managed: (next, old) => withManager(next, old, { target, options, nowMs: exchange.startedMs }),
    mutated: async (next, old) => {
      const request = requestOf(next, old)
      await steps.mutate?.(request)
      return request.object ?? next
    },
    validated: async (next, old) => {
      const request = requestOf(next, old)
      await steps.validate?.(request)
      await steps.charge?.(request)
    },
  }
}

function reviewOf(
  exchange: Exchange,
  { resource: kind, parent, object: place }: AnsweredTarget,
  { operation, dryRun }: Pick<Answered, 'operation' | 'dryRun'>,
) {
  const target = reviewedTarget(operation, kind, parent)
  const steps = exchange.plane.admission?.stepsOf(target)
  if (steps === undefined) return undefined
  const requestOf = (object?: ApiObject, oldObject?: ApiObject): AdmissionRequest => ({
    ...target,
    namespace: place.namespace,
    name: place.name || (object?.metadata.name ?? ''),
    object,
    oldObject,
    context: registryContext(exchange, dryRun),
    review: clientReview(exchange),
  })
  return { steps, requestOf }
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
