/** A violated rule of a schema, in the terms of JSON Schema. */
export interface SchemaProblem {
  keyword: string
  /** `/spec/list/0`, as compiled code tells it. */
  instancePath?: string
  /** `spec.list[0]`, where it is known. */
  path?: string
  params: Record<string, unknown>
  data?: unknown
  message?: string
}
