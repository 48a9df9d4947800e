import type { AdmissionTarget } from '../registry/admission.ts'

const policyKinds = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]

/** Whether webhooks are asked. A webhook never keeps the operator from changing what calls it, and reviews of users and
 *  rights are answered first. Source: seen on kube-apiserver 1.37.2. */
export function isReviewed(target: AdmissionTarget): boolean {
  return target.resource.group !== 'admissionregistration.k8s.io' && !isAccessReview(target)
}

/** Whether policies are asked. They hold for configurations of webhooks, and not for policies. */
export function isSubjectToPolicies(target: AdmissionTarget): boolean {
  const { group, plural } = target.resource
  if (group === 'admissionregistration.k8s.io') return !policyKinds.includes(plural)
  return !isAccessReview(target)
}

/** Whether a request only asks who a user is, or what a user may do. */
export function isAccessReview({ resource: { group } }: AdmissionTarget): boolean {
  return group === 'authentication.k8s.io' || group === 'authorization.k8s.io'
}
