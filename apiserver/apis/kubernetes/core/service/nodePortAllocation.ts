import { invalidField } from '../../../../meta/fieldErrors.ts'
import { internalError, invalid, plainError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ServicePort, ServiceSpec } from '../../shapes/coreV1.ts'
import { firstNodePort, lastNodePort, nodePorts } from './serviceAddress.ts'
import { nodePortValue, type ServiceAllocations } from './serviceAllocations.ts'
import { needsHealthPort, needsNodePorts, opensNodePorts } from './serviceNodePorts.ts'
import { specOf } from './serviceSpec.ts'

interface NodePortRequest {
  /** Previous spec; undefined: a new service. */
  old: ServiceSpec | undefined
  allocations: ServiceAllocations
  /** True for a dry run, in which the real server does not check the range either. */
  dryRun: boolean
}

/** Node ports of one service write. Source: seen on kube-apiserver 1.37.2. */
export class NodePortAllocation {
  readonly #object: ApiObject
  readonly #spec: ServiceSpec
  readonly #request: NodePortRequest
  readonly #allocated = new Set<number>()
  /** Ports that the service requests, collected on the first allocation. */
  #given: ReadonlySet<number> | undefined
  /** Ports not tried yet: a port that is taken stays taken for the whole write. */
  #untried: Iterator<number> | undefined

  constructor(object: ApiObject, request: NodePortRequest) {
    this.#object = object
    this.#spec = specOf(object)
    this.#request = request
  }

  /**
   * Allocates the ports that the service needs and checks those it requests.
   * @throws StatusError 422 for an invalid port, 500 if none is left.
   */
  run(): void {
    const { old } = this.#request
    if (opensNodePorts(this.#spec)) {
      if (old === undefined) this.#fillNew()
      else this.#fillChanged(old)
    }
    const hadHealthPort = old !== undefined && needsHealthPort(old)
    if (needsHealthPort(this.#spec) && !hadHealthPort) this.#allocateHealthPort()
  }

  /** Fills in new node ports; service ports with the same number share a node port. */
  #fillNew(): void {
    const { ports = [] } = this.#spec
    const shared = new Map<number, number>()
    const asked = requested(ports)
    for (const [index, port] of ports.entries()) {
      const { port: number = 0, nodePort = 0 } = port
      if (nodePort === 0 && !needsNodePorts(this.#spec)) continue
      const known = shared.get(number)
      if (known === undefined) {
        const own = asked.get(number)
        port.nodePort = own === undefined ? this.#next() : this.#take(index, own)
        shared.set(number, port.nodePort)
      } else if (nodePort === 0) port.nodePort = known
      else if (nodePort !== known) this.#take(index, nodePort)
    }
  }

  #fillChanged(old: ServiceSpec): void {
    const { ports = [] } = this.#spec
    const kept = new Set(portsOf(old))
    const seen = new Set<string>()
    for (const [index, port] of ports.entries()) {
      const { nodePort = 0, protocol = '' } = port
      if (nodePort === 0 && !needsNodePorts(this.#spec)) continue
      const isNew = !kept.has(nodePort) && !this.#allocated.has(nodePort)
      if (nodePort === 0) port.nodePort = this.#next()
      else if (isNew) this.#take(index, nodePort)
      const shown = `{${protocol} ${port.nodePort ?? 0}}`
      if (seen.has(shown)) throw plainError(`duplicate nodePort: ${shown}`)
      seen.add(shown)
    }
  }

  #allocateHealthPort(): void {
    const { healthCheckNodePort: port = 0 } = this.#spec
    if (port === 0) {
      this.#spec.healthCheckNodePort = this.#next()
      return
    }
    const problem = this.#problemOf(port)
    if (problem === undefined) return this.#hold(port)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${port}: ${problem}`)
  }

  #take(index: number, port: number): number {
    const problem = this.#problemOf(port)
    if (problem !== undefined) {
      const { name = '' } = this.#object.metadata
      const error = invalidField(`spec.ports[${index}].nodePort`, port, problem)
      throw invalid({ group: '', kind: 'Service' }, name, [error])
    }
    this.#hold(port)
    return port
  }

  /** Free port that no other port of the service requests. */
  #next(): number {
    const untried = (this.#untried ??= nodePorts(this.#uid))
    for (let tried = untried.next(); tried.done !== true; tried = untried.next()) {
      if (!this.#isUsable(tried.value)) continue
      this.#hold(tried.value)
      return tried.value
    }
    throw internalError('failed to allocate a nodePort: range is full')
  }

  #isUsable(port: number): boolean {
    const given = (this.#given ??= new Set(portsOf(this.#spec)))
    return !this.#allocated.has(port) && !given.has(port) && this.#isFree(port)
  }

  #problemOf(port: number): string | undefined {
    const isOutside = port < firstNodePort || port > lastNodePort
    if (isOutside && !this.#request.dryRun) return rangeText
    const isTaken = this.#allocated.has(port) || !this.#isFree(port)
    return isTaken ? 'provided port is already allocated' : undefined
  }

  #isFree(port: number): boolean {
    return this.#request.allocations.isFree(nodePortValue(port), this.#uid)
  }

  #hold(port: number): void {
    this.#allocated.add(port)
    this.#request.allocations.take(nodePortValue(port), this.#object)
  }

  get #uid(): string {
    return this.#object.metadata.uid ?? ''
  }
}

function portsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.map(({ nodePort = 0 }) => nodePort)
}

/** Node ports requested for any protocol, by service port: the first node port of each. */
function requested(ports: readonly ServicePort[]): Map<number, number> {
  const asked = new Map<number, number>()
  for (const { port = 0, nodePort } of ports) {
    if (nodePort !== undefined && nodePort !== 0 && !asked.has(port)) asked.set(port, nodePort)
  }
  return asked
}

const rangeText = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`
