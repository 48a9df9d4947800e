/** A violated rule of a schema, in the terms of JSON Schema. */
export interface SchemaProblem {
  keyword: string
  /** JSON pointer of the value: `/spec/list/0`. */
  instancePath: string
  params: Record<string, unknown>
  data?: unknown
  message?: string
}
