import type { ApiObject } from '../meta/types.ts'
import type { ResourceDefinition } from './resource.ts'
import type { RequestContext } from './strategy.ts'

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** What a client's write says of itself to admission. Writes of the server itself have none, and are not reviewed. */
export interface Review {
  /** CreateOptions, UpdateOptions or DeleteOptions with their type; null for a connection. Made when asked for. */
  options(operation: AdmissionOperation): Record<string, unknown> | null
  /** Notes something of the request in its audit event. */
  annotate(key: string, value: string): void
  /** The objects of a collection are deleted: reviews name none of them. */
  isCollection?: boolean
  /** Aborts when nobody waits for the answer any more. */
  signal?(): AbortSignal
}

/** What is written, and through what: enough to tell who is asked. */
export interface AdmissionTarget {
  operation: AdmissionOperation
  /** Of the path. */
  resource: ResourceDefinition
  /** Empty for the object itself. */
  subresource: string
  /** The kind of the objects: that of the resource, or of a subresource that speaks another. */
  kind: ResourceDefinition
}

/** One write as it is admitted. Source: Kubernetes, "Admission Control in Kubernetes". */
export interface AdmissionRequest extends AdmissionTarget {
  /** Empty for kinds without a namespace. */
  namespace: string
  /** Empty while nobody knows it. */
  name: string
  /** The object as it is to be; undefined for a deletion. Mutating steps change or replace it. */
  object: ApiObject | undefined
  /** The object as it was; never changed. */
  oldObject: ApiObject | undefined
  context: RequestContext
  review: Review
}

/** The steps that a write of a kind passes. Both refuse by throwing a StatusError. */
export interface AdmissionSteps {
  /** Before the object is validated: changes or replaces `request.object`. */
  mutate(request: AdmissionRequest): Promise<void>
  /** When the object is valid. */
  validate(request: AdmissionRequest): Promise<void>
  /** In the turn in which the object is written: counts it against what its namespace may have. Gives what to wait for
   *  before the write is answered. */
  charge(request: AdmissionRequest): Promise<unknown> | undefined
}

/** Admission of one plane. */
export interface AdmissionControl {
  /** The steps of a write; undefined: nobody is asked, which costs nothing. */
  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined
}
