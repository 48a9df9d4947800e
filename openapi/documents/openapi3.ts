import type { DocumentInfo } from './documentInfo.ts'
import type { PublishedSchema } from '../publishedSchema.ts'
import type { Method } from '../route.ts'

/** The part of OpenAPI 3.0 in use. Source: OpenAPI Specification 3.0.0. */
export interface DocumentV3 {
  openapi: string
  info: DocumentInfo
  paths: Record<string, PathV3>
  components: {
    schemas: Record<string, PublishedSchema>
    securitySchemes: Record<string, SecuritySchemeV3>
  }
  security: Record<string, string[]>[]
}

export type PathV3 = Partial<Record<Method, OperationV3>> & { parameters?: ParameterV3[] }

export interface OperationV3 {
  tags: readonly string[]
  description: string
  operationId: string
  parameters?: ParameterV3[]
  requestBody?: RequestBodyV3
  responses: Record<string, ResponseV3>
  [extension: `x-${string}`]: unknown
}

export interface ParameterV3 {
  name: string
  in: 'query' | 'path'
  description: string
  required?: boolean
  schema: PublishedSchema
}

/** Schemas by media type. */
export type ContentV3 = Record<string, { schema: PublishedSchema }>

export interface RequestBodyV3 {
  content: ContentV3
  required?: boolean
}

export interface ResponseV3 {
  description: string
  content?: ContentV3
}

export interface SecuritySchemeV3 {
  type: string
  description: string
  name: string
  in: string
}
