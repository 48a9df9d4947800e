import { fill } from '../../../fill.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { needsHealthPort, needsNodePorts } from './serviceNodePorts.ts'
import { hasSameAddresses, isExternal } from './serviceSpec.ts'

/**
 * Keeps addresses and ports of the stored service that the client omitted in an update. Changes `next`.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function keepAllocated(next: ServiceSpec, old: ServiceSpec): void {
  if (!isExternal(old) && !isExternal(next)) {
    fill(next, { ...(old.clusterIP === undefined ? {} : { clusterIP: old.clusterIP }) })
    if (old.clusterIPs && isEmpty(next.clusterIPs)) next.clusterIPs = old.clusterIPs
  }
  if (needsNodePorts(old) && needsNodePorts(next)) keepNodePorts(next, old)
  if (needsHealthPort(old) && needsHealthPort(next)) keepHealthPort(next, old)
}

function isEmpty(list: readonly string[] | undefined): boolean {
  return list === undefined || list.length === 0
}

function keepHealthPort(next: ServiceSpec, { healthCheckNodePort: before }: ServiceSpec): void {
  if ((next.healthCheckNodePort ?? 0) === 0 && before !== undefined) {
    next.healthCheckNodePort = before
  }
}

/** Keeps node ports, matched by port name, unless another port now requests them. */
function keepNodePorts(next: ServiceSpec, old: ServiceSpec): void {
  const given = new Set((next.ports ?? []).map(({ nodePort = 0 }) => nodePort))
  const byName = new Map((old.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]))
  for (const port of next.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0
    if ((port.nodePort ?? 0) === 0 && before !== 0 && !given.has(before)) port.nodePort = before
  }
}

/** Keeps the single address and the list of addresses consistent if a client wrote only one of them. Changes `next`. */
export function normalizeClusterIPs(next: ServiceSpec, old: ServiceSpec | undefined): void {
  const { clusterIP = '' } = next
  if (old === undefined) {
    if (clusterIP !== '' && isEmpty(next.clusterIPs)) next.clusterIPs = [clusterIP]
    return
  }
  const before = old.clusterIP ?? ''
  if (before === clusterIP) {
    if (isEmpty(next.clusterIPs) && old.clusterIPs) next.clusterIPs = old.clusterIPs
  } else if (hasSameAddresses(next, old)) {
    if (clusterIP === '') delete next.clusterIPs
    else next.clusterIPs = [clusterIP]
  }
}
