import { isSame } from '../../../fieldChecks.ts'
import { hasAddress, reachesOutside, type Port, type ServiceSpec } from './serviceSpec.ts'

export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  if (type === 'NodePort') return true
  return type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false
}

/** Of a load balancer that sends traffic only to nodes with an endpoint. */
export function needsHealthPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

/** What a client leaves out stays, and what only the type before needed goes where the client leaves it as it was.
 *  Changes `next`. Source: the real server's answers to changes of a service's type. */
export function keepNodePorts(next: ServiceSpec, old: ServiceSpec): void {
  if (needsNodePorts(next) && needsNodePorts(old)) {
    for (const port of next.ports ?? []) keepNodePort(port, next, old)
  }
  if (!isBalanced(next) && !needsNodePorts(next) && hasSamePorts(next, old)) {
    for (const port of next.ports ?? []) delete port.nodePort
  }
  keepOfType(next, old)
}

function keepNodePort(port: Port, next: ServiceSpec, old: ServiceSpec): void {
  if ((port.nodePort ?? 0) > 0) return
  const before = old.ports?.find(
    (other) => other.port === port.port && other.protocol === port.protocol,
  )
  const isGiven = next.ports?.some((other) => other.nodePort === before?.nodePort) === true
  if (before?.nodePort !== undefined && !isGiven) port.nodePort = before.nodePort
}

function hasSamePorts(next: ServiceSpec, old: ServiceSpec): boolean {
  const portsOf = ({ ports = [] }: ServiceSpec) => ports.map(({ nodePort = 0 }) => nodePort)
  return portsOf(next).join() === portsOf(old).join()
}

function isBalanced({ type }: ServiceSpec): boolean {
  return type === 'LoadBalancer'
}

/** Fields with the services that have them; the first says whether a client left them as they were. */
const ofType: readonly {
  fields: readonly (keyof ServiceSpec)[]
  belongs: (spec: ServiceSpec) => boolean
}[] = [
  { fields: ['healthCheckNodePort'], belongs: needsHealthPort },
  { fields: ['externalTrafficPolicy'], belongs: reachesOutside },
  { fields: ['allocateLoadBalancerNodePorts'], belongs: isBalanced },
  { fields: ['loadBalancerClass'], belongs: isBalanced },
  { fields: ['clusterIP', 'clusterIPs'], belongs: hasAddress },
  { fields: ['ipFamilies'], belongs: hasAddress },
  { fields: ['ipFamilyPolicy'], belongs: hasAddress },
  { fields: ['internalTrafficPolicy'], belongs: hasAddress },
]

function keepOfType(next: ServiceSpec, old: ServiceSpec): void {
  const { healthCheckNodePort } = old
  if (needsHealthPort(next) && healthCheckNodePort !== undefined) {
    next.healthCheckNodePort ??= healthCheckNodePort
  }
  for (const { fields, belongs } of ofType) {
    if (belongs(next) || !belongs(old)) continue
    const [first] = fields
    if (first === undefined || !isSame(next[first], old[first])) continue
    for (const field of fields) Reflect.deleteProperty(next, field)
  }
}
