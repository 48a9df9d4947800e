import type { ApiObject } from '../../meta/types.ts'
import { clusterAddress } from './serviceAddress.ts'

export interface Port {
  name?: string
  protocol?: string
  port: number
  targetPort?: number | string
  nodePort?: number
}

export interface ServiceSpec {
  type?: string
  clusterIP?: string
  clusterIPs?: string[]
  externalName?: string
  ports?: Port[]
  sessionAffinity?: string
  internalTrafficPolicy?: string
  externalTrafficPolicy?: string
  healthCheckNodePort?: number
  allocateLoadBalancerNodePorts?: boolean
  ipFamilies?: string[]
  ipFamilyPolicy?: string
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
  }
  if (spec.type === 'ExternalName') return
  fill(spec, { internalTrafficPolicy: 'Cluster' })
  if (spec.type !== 'ClusterIP') fill(spec, { externalTrafficPolicy: 'Cluster' })
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
}

/** Gives a service an address, where it has none. */
export function setAddress(object: ApiObject): void {
  const spec = specOf(object)
  if (spec.type === 'ExternalName') return
  fill(spec, { clusterIP: clusterAddress(object.metadata.uid ?? '') })
  const { clusterIP = '' } = spec
  const family = clusterIP.includes(':') ? 'IPv6' : 'IPv4'
  fill(spec, { clusterIPs: [clusterIP], ipFamilies: [family], ipFamilyPolicy: 'SingleStack' })
}

function fill<T extends object>(target: T, defaults: Partial<T>): void {
  Object.assign(target, { ...defaults, ...target })
}

/** A client that leaves the address out means the one that is there. */
export function keepAddress(next: ServiceSpec, old: ServiceSpec): void {
  if (next.type === 'ExternalName') return
  if (next.clusterIP === undefined && old.clusterIP !== undefined) next.clusterIP = old.clusterIP
  if (next.clusterIPs === undefined && old.clusterIPs !== undefined)
    next.clusterIPs = old.clusterIPs
}
