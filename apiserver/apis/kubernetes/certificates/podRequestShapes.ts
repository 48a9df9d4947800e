import type { ApiObject } from '../../../meta/types.ts'
import type {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from '../shapes/certificatesV1.ts'

export interface PodRequest extends ApiObject {
  spec?: PodCertificateRequestSpec
  status?: PodCertificateRequestStatus
}
