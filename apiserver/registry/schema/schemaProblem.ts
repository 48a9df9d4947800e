/** A violated rule of a schema, in the terms of JSON Schema. */
export interface SchemaProblem {
  keyword: string
  /** Path from compiled code, such as `/spec/list/0`. */
  instancePath?: string
  /** Path such as `spec.list[0]`, if known. */
  path?: string
  params: Record<string, unknown>
  data?: unknown
  message?: string
}
