import type { ApiObject, GroupVersion } from '../meta/types.ts'
import type { RequestContext } from './strategy.ts'

/** A request for something that is made for it and kept in no store. */
export interface AnswerRequest extends RequestContext {
  /** Empty where the kind has none. */
  namespace: string
  /** Of the object, for a subresource of its parent; empty for a collection. */
  name: string
  query: URLSearchParams
  /** Notes something of the request in its audit event. Absent: nothing is noted of it. */
  annotate?: (key: string, value: string) => void
  /** For a subresource: who manages the fields of the parent that is written through it. Absent: nobody asks. */
  parent?: ParentManagement
  /** Who manages the fields of objects of another kind, which an answer writes through a subresource in the name of
   *  `manager`. Absent: nobody asks. */
  managementOf?: (
    resource: GroupVersion & { plural: string },
    subresource: string,
    manager: string,
  ) => Pick<ParentManagement, 'updated'>
}

/** The managers of a parent's fields after a write through a subresource. `only`: the fields that it writes, as paths of
 *  fieldsV1. Neither argument is changed. Source: reference 3.11. */
export interface ParentManagement {
  /** `next` with the managers it then has. Without paths: any field may be written. */
  updated(old: ApiObject, next: ApiObject, only: readonly (readonly string[])[]): ApiObject
  /** What server-side apply makes of `old` and a configuration of the parent. @throws StatusError. */
  applied(old: ApiObject, config: ApiObject, only: readonly (readonly string[])[]): ApiObject
}

/** Changes nothing of `old`. */
export type AnswerTransform = (old: ApiObject) => Promise<ApiObject>

/** The answers of a resource or a subresource that no store stands behind; those of the verbs it serves are there.
 *  Objects come in decoded, canonical and valid by the schema. Each may refuse by throwing a StatusError. */
export interface Answers {
  get?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** What PATCH starts from, where that is more than `get` answers with. Absent: it is what `get` gives. */
  current?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** Answers GET and POST in place of `get` and `create`, and reads no body: what opens a connection (exec, log).
   *  undefined: nothing came over it. */
  connect?(request: AnswerRequest): ApiObject | undefined | Promise<ApiObject | undefined>
  list?(request: AnswerRequest): ApiObject[] | Promise<ApiObject[]>
  /** Answered with 201. */
  create?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** PATCH asks for the object, patches it, and updates. */
  update?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** Every write of a kind that keeps its metadata, in place of `create`, `update` and `apply`: `transform` makes of what
   *  `get` gives what should be kept, again if another writer was first. A resourceVersion or a uid of the result that
   *  is not that of the object is a conflict. Status is never written. */
  change?(transform: AnswerTransform, request: AnswerRequest): Promise<ApiObject>
  /** Server-side apply of a configuration, which is as the client sent it. Absent: it is not taken. */
  apply?(config: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
}
