import { namespaceAdmission } from '../../apis/kubernetes/core/namespace/namespaceAdmission.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isAccessReview } from '../exemptKinds.ts'
import type { NamespaceLookup } from '../selectors.ts'

/** Objects, and subresources that are created, are created only in namespaces that exist and are not being deleted. A write that waited for others is
 *  checked again in the turn in which it is stored. Source: Kubernetes, NamespaceLifecycle. */
export function namespaceLifecycle(lookup: NamespaceLookup): AdmissionPlugin {
  const guard = namespaceAdmission(({ name }) => lookup(name))
  return {
    name: 'NamespaceLifecycle',
    // A review of rights says what holds, also where nothing can be created any more.
    handles: (target) =>
      target.operation === 'CREATE' && target.resource.namespaced && !isAccessReview(target),
    mutate: ({ resource, namespace, name }) =>
      guard({ operation: 'create', resource, namespace, name }),
  }
}
