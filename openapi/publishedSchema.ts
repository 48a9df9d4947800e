/**
 * Schema as published by OpenAPI, with the keywords common to 2.0 and 3.0, and the used keywords of
 * 3.0.
 */
export interface PublishedSchema {
  $ref?: string
  allOf?: PublishedSchema[]
  oneOf?: PublishedSchema[]
  anyOf?: PublishedSchema[]
  not?: PublishedSchema
  description?: string
  title?: string
  example?: unknown
  externalDocs?: unknown
  type?: string
  format?: string
  properties?: Record<string, PublishedSchema>
  required?: readonly string[]
  items?: PublishedSchema
  additionalProperties?: PublishedSchema | boolean
  enum?: readonly unknown[]
  default?: unknown
  /** Only in 3.0. */
  nullable?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  pattern?: string
  [extension: `x-${string}`]: unknown
}
