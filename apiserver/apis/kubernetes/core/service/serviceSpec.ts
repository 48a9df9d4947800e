import type { ApiObject } from '../../../../meta/types.ts'
import { isSame } from '../../../fieldChecks.ts'
import { fill } from '../../../fill.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'

export function specOf(object: ApiObject): ServiceSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] as ServiceSpec
}

/** Sets the defaults of every service, for all clients. */
export function setDefaults(object: ApiObject): void {
  object['spec'] ??= {}
  const spec = specOf(object)
  fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  for (const port of Array.isArray(spec.ports) ? spec.ports : []) {
    const { port: number = 0 } = port
    fill(port, { protocol: 'TCP', targetPort: number })
    if (port.targetPort === 0) port.targetPort = number
  }
  setAffinityDefaults(spec)
  if (reachesOutside(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (hasAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

/** Sets the timeout of session affinity, if enabled. */
function setAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity !== 'ClientIP') return
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } }
}

/** Reports whether a service accepts traffic from outside the cluster. */
export function reachesOutside({ type, externalIPs = [] }: ServiceSpec): boolean {
  const isOpen = type === 'NodePort' || type === 'LoadBalancer'
  return isOpen || (type === 'ClusterIP' && externalIPs.length > 0)
}

export function hasAddress({ type = '' }: ServiceSpec): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type)
}

export function isExternal({ type }: ServiceSpec): boolean {
  return type === 'ExternalName'
}

/** Reports whether a service has no cluster address. */
export function isHeadless({ clusterIPs, clusterIP }: ServiceSpec): boolean {
  return (clusterIPs?.[0] ?? clusterIP) === 'None'
}

/** Reports whether a service selects the pods behind it. */
export function isSelecting({ selector = {} }: ServiceSpec): boolean {
  return Object.keys(selector).length > 0
}

export function hasSameAddresses(
  next: Pick<ServiceSpec, 'clusterIPs'>,
  old: Pick<ServiceSpec, 'clusterIPs'>,
): boolean {
  return isSame(next.clusterIPs ?? [], old.clusterIPs ?? [])
}

export function hasSameFamilies(next: ServiceSpec, old: ServiceSpec): boolean {
  return isSame(next.ipFamilies ?? [], old.ipFamilies ?? [])
}
