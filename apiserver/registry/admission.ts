import type { ApiObject } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'
import type { AdmissionOperation, Review } from './review.ts'
import type { RequestContext } from './strategy.ts'

/** Target of a write: determines the plugins that review it. */
export interface AdmissionTarget {
  operation: AdmissionOperation
  /** Resource of the path. */
  resource: ResourceDefinition
  /** Empty for the object itself. */
  subresource: string
  /** The kind of the objects: that of the resource, or of a subresource that speaks another. */
  kind: ResourceDefinition
}

/** Write under admission. Source: Kubernetes, "Admission Control in Kubernetes". */
export interface AdmissionRequest extends AdmissionTarget {
  /** Empty for kinds without a namespace. */
  namespace: string
  /** Empty while it is unknown. */
  name: string
  /** The object as it is to be; undefined for a deletion. Mutating steps change or replace it. */
  object: ApiObject | undefined
  /** The object as it was; never changed. */
  oldObject: ApiObject | undefined
  context: RequestContext
  review: Review
}

/** The steps of a write of a kind; a step that no plugin has is absent. All refuse by throwing a StatusError; they
 *  return no promise unless they have to wait. */
export interface AdmissionSteps {
  /** Before the object is validated: changes or replaces `request.object`. */
  mutate?: (request: AdmissionRequest) => void | Promise<void>
  /** When the object is valid. */
  validate?: (request: AdmissionRequest) => void | Promise<void>
  /** Charges the write against the quotas of its namespace, in the turn of the write. The response waits for the
   *  result. */
  charge?: (request: AdmissionRequest) => Promise<unknown> | undefined
}

/** Admission of one plane. */
export interface AdmissionControl {
  /** The steps of a write; undefined: there are none, which costs nothing. */
  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined
}
