import type { ApiObject } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'
import type { AdmissionOperation, Review } from './review.ts'
import type { RequestContext } from './strategy.ts'

/** Target of a write, which determines the plugins that review it. */
export interface AdmissionTarget {
  operation: AdmissionOperation
  /** Resource of the path. */
  resource: ResourceDefinition
  /** Empty for the object itself. */
  subresource: string
  /** Kind of the objects: the resource's, or the kind of a subresource with another one. */
  kind: ResourceDefinition
}

/** Write under admission. Source: Kubernetes, "Admission Control in Kubernetes". */
export interface AdmissionRequest extends AdmissionTarget {
  /** Namespace; empty for cluster-scoped kinds. */
  namespace: string
  /** Name; empty while unknown. */
  name: string
  /** New object; undefined for a deletion. Mutating steps change or replace it. */
  object: ApiObject | undefined
  /** Previous object; never changed. */
  oldObject: ApiObject | undefined
  context: RequestContext
  review: Review
  /** Grace of a deletion in seconds, once the kind has decided it. */
  graceSeconds?: number
}

/**
 * Steps of a write of a kind; a step without plugins is absent. All refuse by throwing a StatusError; they only return
 * a promise if they have to wait.
 */
export interface AdmissionSteps {
  /** Called before the object is validated; changes or replaces `request.object`. */
  mutate?: (request: AdmissionRequest) => void | Promise<void>
  /** Called when the object is valid. */
  validate?: (request: AdmissionRequest) => void | Promise<void>
  /** Charges the write against the quotas of its namespace, in the turn of the write. The response waits for the
   *  result. */
  charge?: (request: AdmissionRequest) => Promise<unknown> | undefined
}

/** Admission of one plane. */
export interface AdmissionControl {
  /** Steps of a write; undefined: none, at no cost. */
  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined
}
