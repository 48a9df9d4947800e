import type { ResourceDefinition } from '../../registry/resource.ts'

/**
 * Groups of every cluster, in discovery order: clients that look up a resource by name use the
 * first group that has it. Source: `/apis` of kube-apiserver 1.37.2.
 */
const order: readonly string[] = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'storagemigration.k8s.io',
]

/** Resources sorted by group, those of one group in the given order. Unlisted groups come last. */
export function inGroupOrder(resources: readonly ResourceDefinition[]): ResourceDefinition[] {
  const rank = ({ group }: ResourceDefinition) => {
    const at = order.indexOf(group)
    return at === -1 ? order.length : at
  }
  return [...resources].sort((a, b) => rank(a) - rank(b))
}
