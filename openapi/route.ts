import type { GroupVersionKind } from '../apiserver/meta/types.ts'
import type { Schema } from '../apiserver/meta/schema.ts'
import type { QueryParameter } from '../apiserver/registry/resource.ts'
import type { DefinedSchema } from './definedSchema.ts'

/** Path and its operations, independent of the dialect. */
export interface Route {
  path: string
  /** Parameters common to all operations of the path. */
  parameters: readonly Parameter[]
  operations: Readonly<Partial<Record<Method, Operation>>>
}

export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch'

export interface Operation {
  id: string
  tags: readonly string[]
  description: string
  /** `x-kubernetes-action`; absent on discovery paths. */
  action?: string
  groupVersionKind?: GroupVersionKind
  parameters: readonly Parameter[]
  body?: Body
  /** Media types of the request body, if any. */
  consumes: readonly string[]
  /** Media types of the response. */
  produces: readonly string[]
  /** Status codes with a body; 401 is added to every operation. */
  responses: Readonly<Record<string, Schema>>
}

export interface Body {
  schema: DefinedSchema
  required: boolean
}

export interface Parameter extends QueryParameter {
  in: 'query' | 'path'
}
