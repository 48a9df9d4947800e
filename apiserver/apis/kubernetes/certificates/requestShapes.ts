import type { ApiObject } from '../../../meta/types.ts'

export interface RequestSpec {
  /** Base64 of a PEM block. */
  request?: string | null
  signerName?: string
  expirationSeconds?: number
  usages?: string[]
  username?: string
  uid?: string
  groups?: string[]
  extra?: Record<string, string[]>
}

export interface RequestCondition {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastUpdateTime?: string | null
  lastTransitionTime?: string | null
}

export interface RequestStatus {
  conditions?: RequestCondition[]
  /** Base64 of PEM blocks. */
  certificate?: string
}

export function requestSpec(object: ApiObject): RequestSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

export function requestStatus(object: ApiObject): RequestStatus {
  // Guaranteed by the schema.
  return object['status'] ?? {}
}

export const decisions = ['Approved', 'Denied'] as const

export function conditionsOfType(object: ApiObject, type: string): RequestCondition[] {
  return (requestStatus(object).conditions ?? []).filter((condition) => condition.type === type)
}
