import { isSame } from '../../../fieldChecks.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { isExternal, reachesOutside } from './serviceSpec.ts'

export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  if (type === 'NodePort') return true
  return type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false
}

/** Reports whether a service is a load balancer that sends traffic only to nodes with an endpoint. */
export function needsHealthPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

/** Reports whether a service of this type may have node ports. */
export function opensNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

function isBalanced({ type }: ServiceSpec): boolean {
  return type === 'LoadBalancer'
}

/**
 * Fields with the services that may have them. The first field of an entry determines whether a
 * client left all of them unchanged.
 */
const ofType: readonly {
  fields: readonly (keyof ServiceSpec)[]
  belongs: (spec: ServiceSpec) => boolean
}[] = [
  { fields: ['clusterIPs', 'clusterIP'], belongs: (spec) => !isExternal(spec) },
  { fields: ['ipFamilies'], belongs: (spec) => !isExternal(spec) },
  { fields: ['ipFamilyPolicy'], belongs: (spec) => !isExternal(spec) },
  { fields: ['healthCheckNodePort'], belongs: needsHealthPort },
  { fields: ['allocateLoadBalancerNodePorts'], belongs: isBalanced },
  { fields: ['loadBalancerClass'], belongs: isBalanced },
  { fields: ['externalTrafficPolicy'], belongs: reachesOutside },
]

/**
 * Drops fields that only the previous type supports, if the client left them unchanged. Changes
 * `next`. Source: seen on kube-apiserver 1.37.2.
 */
export function dropTypeDependent(next: ServiceSpec, old: ServiceSpec): void {
  for (const { fields, belongs } of ofType) {
    if (belongs(next) || !belongs(old)) continue
    const [first] = fields
    if (first === undefined || !isSame(next[first], old[first])) continue
    for (const field of fields) Reflect.deleteProperty(next, field)
  }
  if (needsNodePorts(old) && !needsNodePorts(next) && hasOldNodePorts(next, old)) {
    for (const port of next.ports ?? []) delete port.nodePort
  }
}

/** Reports whether the service already had all its node ports. */
function hasOldNodePorts(next: ServiceSpec, old: ServiceSpec): boolean {
  const before = new Set((old.ports ?? []).map(({ nodePort = 0 }) => nodePort))
  return (next.ports ?? []).every(({ nodePort = 0 }) => nodePort === 0 || before.has(nodePort))
}
