import type { ApiObject } from '../../../../meta/types.ts'
import { fill } from '../../../fill.ts'
import { clusterAddress } from './serviceAddress.ts'

export interface Port {
  name?: string
  protocol?: string
  port: number
  targetPort?: number | string
  nodePort?: number
  appProtocol?: string
}

export interface ServiceSpec {
  type?: string
  clusterIP?: string
  clusterIPs?: string[]
  externalIPs?: string[]
  externalName?: string
  selector?: Record<string, string>
  ports?: Port[]
  sessionAffinity?: string
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } }
  internalTrafficPolicy?: string
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
  allocateLoadBalancerNodePorts?: boolean
  ipFamilies?: string[]
  ipFamilyPolicy?: string
  loadBalancerClass?: string
  loadBalancerSourceRanges?: string[]
  trafficDistribution?: string
}

export function specOf(object: ApiObject): ServiceSpec {
  // The schema says what a service's spec holds, and the store gives every object one.
  return object['spec'] as ServiceSpec
}

/** Fills what every service has, whoever writes it. */
export function setDefaults(object: ApiObject): void {
  object['spec'] ??= {}
  const spec = specOf(object)
  fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  for (const port of Array.isArray(spec.ports) ? spec.ports : []) {
    fill(port, { protocol: 'TCP', targetPort: port.port })
    if (port.targetPort === 0) port.targetPort = port.port
  }
  setAffinityDefaults(spec)
  if (reachesOutside(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (hasAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

/** How long a client stays with one endpoint, where it does. */
function setAffinityDefaults(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity !== 'ClientIP') return
  spec.sessionAffinityConfig ??= {}
  spec.sessionAffinityConfig.clientIP ??= {}
  spec.sessionAffinityConfig.clientIP.timeoutSeconds ??= 10_800
}

/** Whether traffic comes from outside of the cluster. */
export function reachesOutside({ type, externalIPs = [] }: ServiceSpec): boolean {
  const isOpen = type === 'NodePort' || type === 'LoadBalancer'
  return isOpen || (type === 'ClusterIP' && externalIPs.length > 0)
}

export function hasAddress({ type = '' }: ServiceSpec): boolean {
  return ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type)
}

/** Gives a service an address, where it has none. */
export function setAddress(object: ApiObject): void {
  const spec = specOf(object)
  if (spec.type === 'ExternalName') return
  if (spec.clusterIPs === undefined) {
    fill(spec, { clusterIP: clusterAddress(object.metadata.uid ?? '') })
  }
  const { clusterIP = '' } = spec
  const family = clusterIP.includes(':') ? 'IPv6' : 'IPv4'
  // Whoever has neither an address nor pods behind it may have endpoints of both families.
  const isOpen = clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0
  fill(spec, {
    clusterIPs: [clusterIP],
    ipFamilies: isOpen ? ['IPv4', 'IPv6'] : [family],
    ipFamilyPolicy: isOpen ? 'RequireDualStack' : 'SingleStack',
  })
}

/** A client that leaves the address out means the one that is there; one that changes it alone means the first of the list.
 *  Source: the real server's answers. */
export function keepAddress(next: ServiceSpec, old: ServiceSpec): void {
  if (next.type === 'ExternalName' || old.clusterIP === undefined) return
  next.clusterIP ??= old.clusterIP
  const { clusterIP } = next
  if (clusterIP === old.clusterIP) {
    if (old.clusterIPs !== undefined) next.clusterIPs ??= old.clusterIPs
  } else if (next.clusterIPs === undefined || next.clusterIPs.join() === old.clusterIPs?.join()) {
    next.clusterIPs = [clusterIP, ...(next.clusterIPs ?? []).slice(1)]
  }
}
