import type { ApiObject } from '../meta/types.ts'
import type { RequestContext } from './strategy.ts'

/** A request for something that is made for it and kept in no store. */
export interface AnswerRequest extends RequestContext {
  /** Empty where the kind has none. */
  namespace: string
  /** Of the object, for a subresource of its parent; empty for a collection. */
  name: string
  query: URLSearchParams
}

/** The answers of a resource or a subresource that no store stands behind; those of the verbs it serves are there.
 *  Objects come in decoded, canonical and valid by the schema. Each may refuse by throwing a StatusError. */
export interface Answers {
  get?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** Answers GET and POST in place of `get` and `create`, and reads no body: what opens a connection (exec, log). */
  connect?(request: AnswerRequest): ApiObject | Promise<ApiObject>
  list?(request: AnswerRequest): ApiObject[] | Promise<ApiObject[]>
  /** Answered with 201. */
  create?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
  /** PATCH asks for the object, patches it, and updates. */
  update?(object: ApiObject, request: AnswerRequest): ApiObject | Promise<ApiObject>
}
