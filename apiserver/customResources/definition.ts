import type { JsonSchemaProps } from '../meta/jsonSchemaProps.ts'
import type { ApiObject } from '../meta/types.ts'
import type { WebhookClientConfig } from '../webhooks/webhookAddress.ts'

/**
 * CustomResourceDefinition, whose types its schema guarantees.
 * Source: Kubernetes API reference, CustomResourceDefinition v1.
 */
export interface CustomResourceDefinition extends ApiObject {
  spec: DefinitionSpec
  status?: DefinitionStatus
}

export interface DefinitionSpec {
  group: string
  names: DefinitionNames
  scope: string
  versions: DefinitionVersion[]
  conversion?: DefinitionConversion
  preserveUnknownFields?: boolean
}

export interface DefinitionConversion {
  strategy?: string
  webhook?: { clientConfig?: WebhookClientConfig; conversionReviewVersions?: string[] }
}

export interface DefinitionNames {
  plural: string
  singular?: string
  shortNames?: string[]
  kind: string
  listKind?: string
  categories?: string[]
}

export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonSchemaProps }
  subresources?: { status?: object; scale?: ScalePaths }
  additionalPrinterColumns?: PrinterColumn[]
  selectableFields?: { jsonPath: string }[]
}

export interface ScalePaths {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}

export interface PrinterColumn {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  jsonPath: string
}

export interface DefinitionStatus {
  conditions?: DefinitionCondition[]
  acceptedNames?: Partial<DefinitionNames>
  storedVersions?: string[]
}

export interface DefinitionCondition {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

/** Finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

export function storageVersion({ versions }: DefinitionSpec): DefinitionVersion | undefined {
  return versions.find(({ storage }) => storage)
}

export function hasStatus({ subresources }: DefinitionVersion): boolean {
  return subresources?.status !== undefined
}

export function conditionIsTrue(definition: CustomResourceDefinition, type: string): boolean {
  const conditions = definition.status?.conditions ?? []
  return conditions.some((condition) => condition.type === type && condition.status === 'True')
}
