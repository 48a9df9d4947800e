import type { ApiObject, GroupVersion } from '../meta/types.ts'
import type { ProxyPlace } from './proxyPlace.ts'
import type { RequestContext } from './strategy.ts'

/** A request for an object that is computed rather than stored. */
export interface AnswerRequest extends RequestContext {
  /** Empty for cluster-scoped kinds. */
  namespace: string
  /** Name of the object, for a subresource of its parent; empty for a collection. */
  name: string
  query: URLSearchParams
  /** Adds an annotation to the request's audit event. Absent: it is not audited. */
  annotate?: (key: string, value: string) => void
  /** Admission for handlers with `isReviewing`. Absent: nothing reviews the write. */
  admission?: AnswerAdmission
  /** Managed fields of the parent of a subresource. Absent: they are not recorded. */
  parent?: ParentManagement
  /**
   * Managed fields of objects of another kind, which a handler writes through a subresource as
   * `manager`. Absent: they are not recorded.
   */
  managementOf?: (
    resource: GroupVersion & { plural: string },
    subresource: string,
    manager: string,
  ) => Pick<ParentManagement, 'updated'>
}

/**
 * Computes a parent's managed fields after a write through a subresource. `only`: the fields that it writes, as paths
 * of fieldsV1. Neither argument is changed. Source: reference 3.11.
 */
export interface ParentManagement {
  /** `next` with its managers. Without paths any field may be written. */
  updated(old: ApiObject, next: ApiObject, only: readonly (readonly string[])[]): ApiObject
  /** Applies a configuration of the parent to `old`. @throws StatusError. */
  applied(old: ApiObject, config: ApiObject, only: readonly (readonly string[])[]): ApiObject
}

/** Admission of a write that a handler computes. Neither argument of a function is changed. */
export interface AnswerAdmission {
  /** `next` with the managers of `old` and the writer. */
  managed(next: ApiObject, old: ApiObject): ApiObject
  /** `next` after mutating reviews. @throws StatusError of a reviewer. */
  mutated(next: ApiObject, old?: ApiObject): Promise<ApiObject>
  /** @throws StatusError of a validating reviewer. */
  validated(next: ApiObject, old?: ApiObject): Promise<void>
}

/** Computes a new object without changing `old`. */
export type AnswerTransform = (old: ApiObject) => Promise<ApiObject>

/**
 * Handlers of a resource or a subresource without a store, one for each served verb. Objects are decoded, canonical and
 * valid by the schema. Each may refuse by throwing a StatusError.
 */
export interface Answers {
  get?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** Object that PATCH starts from, if it has more fields than `get` returns. Absent: the result of `get`. */
  current?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  /**
   * Handles GET and POST in place of `get` and `create`, without reading a body: opens a connection
   * (exec, log). Undefined: no response body.
   */
  connect?(request: AnswerRequest): ApiObject | undefined | Promise<ApiObject | undefined>
  /**
   * Handles every method, with any path after the subresource, in place of all other handlers.
   * Returns the server that the request is passed on to.
   */
  proxy?(request: AnswerRequest): Promise<ProxyPlace>
  list?(request: AnswerRequest): ApiObject[] | Promise<ApiObject[]>
  /** Creates an object; the response has code 201. */
  create?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** Updates an object; PATCH reads it first, and applies the patch. */
  update?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
  /**
   * Handles every write of a kind that keeps its metadata, in place of `create`, `update` and `apply`: `transform`
   * computes the new object from the result of `get`, and is repeated if another writer was first. A resourceVersion or
   * a uid of the result that differs from the object's is a conflict. Status is never written.
   */
  change?(transform: AnswerTransform, request: AnswerRequest): Promise<ApiObject>
  /**
   * True if the write handlers call the admission of the request, since reviewers see more than the
   * sent object. Otherwise the sent object is reviewed before. Must be true if `apply` is
   * supported, because a configuration is not an object.
   */
  isReviewing?: boolean
  /** Handles server-side apply of a configuration, as sent by the client. Absent: it is not supported. */
  apply?(config: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
}
