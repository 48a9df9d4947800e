import { namespaceAdmission } from '../../apis/kubernetes/core/namespace/namespaceAdmission.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { NamespaceLookup } from '../selectors.ts'

/** Objects are created only in namespaces that exist and are not being deleted. A write that waited for others is
 *  checked again in the turn in which it is stored. Source: Kubernetes, NamespaceLifecycle. */
export function namespaceLifecycle(lookup: NamespaceLookup): AdmissionPlugin {
  const guard = namespaceAdmission(({ name }) => lookup(name))
  return {
    name: 'NamespaceLifecycle',
    handles: ({ operation, resource, subresource }) =>
      operation === 'CREATE' && resource.namespaced && subresource === '',
    mutate: ({ resource, namespace, name }) =>
      guard({ operation: 'create', resource, namespace, name }),
  }
}
