import type { ApiObject } from '../../../meta/types.ts'
import type { MetaCondition } from '../metaConditions.ts'

/** Source: Kubernetes API reference, PodCertificateRequestSpec v1. */
export interface PodRequestSpec {
  signerName?: string
  podName?: string
  podUID?: string
  serviceAccountName?: string
  serviceAccountUID?: string
  nodeName?: string
  nodeUID?: string
  maxExpirationSeconds?: number
  /** Base64. */
  stubPKCS10Request?: string | null
  unverifiedUserAnnotations?: Record<string, string>
}

export interface PodRequestStatus {
  conditions?: MetaCondition[]
  certificateChain?: string
  notBefore?: string
  beginRefreshAt?: string
  notAfter?: string
}

export interface PodRequest extends ApiObject {
  spec?: PodRequestSpec
  status?: PodRequestStatus
}
