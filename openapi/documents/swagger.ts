import type { DocumentInfo } from './documentInfo.ts'
import type { PublishedSchema } from '../publishedSchema.ts'
import type { Method } from '../route.ts'

/** The part of OpenAPI 2.0 in use. Source: OpenAPI Specification 2.0. */
export interface SwaggerDocument {
  swagger: '2.0'
  info: DocumentInfo
  paths: Record<string, SwaggerPath>
  definitions: Record<string, PublishedSchema>
  securityDefinitions: Record<string, SwaggerSecurity>
  security: Record<string, string[]>[]
}

export type SwaggerPath = Partial<Record<Method, SwaggerOperation>> & {
  parameters?: SwaggerParameter[]
}

export interface SwaggerOperation {
  description: string
  consumes: readonly string[]
  produces: readonly string[]
  schemes: readonly string[]
  tags: readonly string[]
  operationId: string
  parameters?: (SwaggerBody | SwaggerParameter)[]
  responses: Record<string, SwaggerResponse>
  [extension: `x-${string}`]: unknown
}

export interface SwaggerBody {
  name: string
  in: 'body'
  required?: boolean
  schema: PublishedSchema
}

export interface SwaggerParameter {
  name: string
  in: 'query' | 'path'
  type: string
  uniqueItems: boolean
  required?: boolean
  description: string
}

export interface SwaggerResponse {
  description: string
  schema?: PublishedSchema
}

export interface SwaggerSecurity {
  type: 'apiKey'
  description: string
  name: string
  in: string
}
