import type { ResourceQuotaSpec } from '../../apis/kubernetes/shapes/coreV1.ts'
import type { ApiObject } from '../../meta/types.ts'

export const quotasResource = { group: '', resource: 'resourcequotas' }

export interface QuotaStatus {
  hard?: Record<string, string>
  used?: Record<string, string>
}

export function quotaSpec(object: ApiObject): ResourceQuotaSpec {
  return object['spec'] ?? {} // typed by its schema
}

export function quotaStatus(object: ApiObject): QuotaStatus {
  return object['status'] ?? {} // typed by its schema
}
