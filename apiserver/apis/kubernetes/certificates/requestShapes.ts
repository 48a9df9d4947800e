import type { ApiObject } from '../../../meta/types.ts'
import type {
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
  CertificateSigningRequestStatus,
} from '../shapes/certificatesV1.ts'

export function requestSpec(object: ApiObject): CertificateSigningRequestSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

export function requestStatus(object: ApiObject): CertificateSigningRequestStatus {
  // Guaranteed by the schema.
  return object['status'] ?? {}
}

export const decisions = ['Approved', 'Denied'] as const

export function conditionsOfType(
  object: ApiObject,
  type: string,
): CertificateSigningRequestCondition[] {
  return (requestStatus(object).conditions ?? []).filter((condition) => condition.type === type)
}
