import type { AdmissionTarget } from '../registry/admission.ts'

const policyKinds = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]

/**
 * Reports whether webhooks are called. Webhooks review neither their own configurations, so that
 * the operator can always change them, nor reviews of users and rights. Source: seen on
 * kube-apiserver 1.37.2.
 */
export function isReviewed(target: AdmissionTarget): boolean {
  return target.resource.group !== 'admissionregistration.k8s.io' && !isAccessReview(target)
}

/** Reports whether policies apply. They apply to webhook configurations, but not to policies. */
export function isSubjectToPolicies(target: AdmissionTarget): boolean {
  const { group, plural } = target.resource
  if (group === 'admissionregistration.k8s.io') return !policyKinds.includes(plural)
  return !isAccessReview(target)
}

/** Reports whether the target is a review of a user or of rights. */
export function isAccessReview({ resource: { group } }: AdmissionTarget): boolean {
  return group === 'authentication.k8s.io' || group === 'authorization.k8s.io'
}
