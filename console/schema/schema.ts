/** Schema of a field. Source: OpenAPI 3.0, Schema Object, and the extensions of the Kubernetes API. */
export interface Schema {
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  $ref?: string
  allOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  default?: unknown
  nullable?: boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}
