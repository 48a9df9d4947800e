import type { AdmissionTarget } from '../registry/admission.ts'

const policyKinds = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]

/** Whether webhooks are asked. A webhook never keeps the operator from changing what calls it, and reviews of users and
 *  rights are answered first. Source: seen on kube-apiserver 1.37.2. */
export function isReviewed({ resource, subresource }: AdmissionTarget): boolean {
  const { group } = resource
  if (group === 'admissionregistration.k8s.io') return false
  return subresource !== '' || !isAccessReview(group)
}

/** Whether policies are asked. They hold for configurations of webhooks, and not for policies. */
export function isSubjectToPolicies({ resource, subresource }: AdmissionTarget): boolean {
  const { group, plural } = resource
  if (group === 'admissionregistration.k8s.io') return !policyKinds.includes(plural)
  return subresource !== '' || !isAccessReview(group)
}

function isAccessReview(group: string): boolean {
  return group === 'authentication.k8s.io' || group === 'authorization.k8s.io'
}
