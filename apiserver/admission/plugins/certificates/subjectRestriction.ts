import {
  requestedSubject,
  type RequestedSubject,
} from '../../../apis/kubernetes/certificates/requestedSubject.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { refusal } from '../pods/podRefusal.ts'
import { isTarget } from '../podTarget.ts'

const signer = 'kubernetes.io/kube-apiserver-client'
const masters = 'system:masters'

/**
 * Refuses client certificates for the group that has all rights. Source: Kubernetes,
 * CertificateSubjectRestriction.
 */
export const subjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  handles: (target) =>
    isTarget(target, {
      ...{ group: 'certificates.k8s.io', plural: 'certificatesigningrequests' },
      operations: ['CREATE'],
    }),
  validate: (request) => {
    // Guaranteed by its schema.
    const spec = (request.object?.['spec'] ?? {}) as { signerName?: string; request?: string }
    if (spec.signerName !== signer) return
    const { organizations }: RequestedSubject = requestedSubject(spec.request ?? '')
    if (!organizations.includes(masters)) return
    throw refusal(request, `use of ${signer} signer with ${masters} group is not allowed`)
  },
}
