import { admitInNamespace } from '../../apis/kubernetes/core/namespace/namespaceAdmission.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isAccessReview } from '../exemptKinds.ts'
import type { NamespaceLookup } from '../selectors.ts'

/**
 * Refuses creates, including subresources, in namespaces that do not exist or are being deleted. A
 * missing namespace is looked up again once reads show every acknowledged write, since another
 * server may have just created it. A write that waited for other writes is checked again in the
 * turn in which it is stored. Source: Kubernetes, NamespaceLifecycle (its live lookup).
 */
export function namespaceLifecycle(
  lookup: NamespaceLookup,
  { reachNewest }: { reachNewest: () => Promise<void> | undefined },
): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    // Access reviews also work in namespaces in which nothing can be created any more.
    handles: (target) =>
      target.operation === 'CREATE' && target.resource.namespaced && !isAccessReview(target),
    mutate: ({ resource, namespace, name }) => {
      const write = { resource, namespace, name }
      const found = lookup(namespace)
      const pending = found === undefined ? reachNewest() : undefined
      if (pending === undefined) return admitInNamespace(found, write)
      return pending.then(() => admitInNamespace(lookup(namespace), write))
    },
  }
}
