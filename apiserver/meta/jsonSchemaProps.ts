/**
 * An entry of `x-kubernetes-validations`: a rule in the Common Expression Language.
 * Source: Kubernetes API reference, CustomResourceDefinition v1, ValidationRule.
 */
export interface ValidationRule {
  rule: string
  message?: string
  messageExpression?: string
  reason?: string
  fieldPath?: string
  optionalOldSelf?: boolean
}

/**
 * The schema keywords of a CustomResourceDefinition. The kind validates the places in which each
 * keyword is allowed.
 * Source: Kubernetes API reference, CustomResourceDefinition v1, JSONSchemaProps.
 */
export interface JsonSchemaProps {
  description?: string
  title?: string
  type?: string
  format?: string
  default?: unknown
  enum?: unknown[]
  nullable?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  required?: string[]
  items?: JsonSchemaProps | JsonSchemaProps[]
  properties?: Record<string, JsonSchemaProps>
  additionalProperties?: JsonSchemaProps | boolean
  allOf?: JsonSchemaProps[]
  anyOf?: JsonSchemaProps[]
  oneOf?: JsonSchemaProps[]
  not?: JsonSchemaProps
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-type'?: string
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: string
  'x-kubernetes-validations'?: ValidationRule[]
  [unsupported: string]: unknown
}
