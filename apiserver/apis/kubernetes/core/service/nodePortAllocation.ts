import { invalidField } from '../../../../meta/fieldErrors.ts'
import { internalError, invalid, plainError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { firstNodePort, freeNodePort, lastNodePort } from './serviceAddress.ts'
import { nodePortValue, type ServiceAllocations } from './serviceAllocations.ts'
import { needsHealthPort, needsNodePorts, opensNodePorts } from './serviceNodePorts.ts'
import { specOf, type Port, type ServiceSpec } from './serviceSpec.ts'

interface NodePortRequest {
  /** Previous spec; undefined: a new service. */
  old: ServiceSpec | undefined
  allocations: ServiceAllocations
  /** True for a dry run, which does not check the range, as in the real server. */
  dryRun: boolean
}

/** Node ports of one write of a service. Source: seen on kube-apiserver 1.37.2. */
export class NodePortAllocation {
  readonly #object: ApiObject
  readonly #spec: ServiceSpec
  readonly #request: NodePortRequest
  readonly #allocated = new Set<number>()

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

  /** Fills in new node ports; protocols of one port share a node port. */
  #fillNew(): void {
    const { ports = [] } = this.#spec
    const shared = new Map<number, number>()
    for (const [index, port] of ports.entries()) {
      const { nodePort = 0 } = port
      if (nodePort === 0 && !needsNodePorts(this.#spec)) continue
      const known = shared.get(port.port)
      if (known === undefined) {
        const asked = requested(port.port, ports)
        port.nodePort = asked === 0 ? this.#next() : this.#take(index, asked)
        shared.set(port.port, port.nodePort)
      } else if (nodePort === 0) port.nodePort = known
      else if (nodePort !== known) this.#take(index, nodePort)
    }
  }

  #fillChanged(old: ServiceSpec): void {
    const { ports = [] } = this.#spec
    const kept = new Set(portsOf(old))
    const given = new Set(portsOf(this.#spec))
    const seen = new Set<string>()
    for (const [index, port] of ports.entries()) {
      const { nodePort = 0, protocol = '' } = port
      if (nodePort === 0 && !needsNodePorts(this.#spec)) continue
      const isNew = !kept.has(nodePort) && !this.#allocated.has(nodePort)
      if (nodePort === 0) port.nodePort = this.#next(given)
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

  /** Free port that the service does not request elsewhere. */
  #next(given: ReadonlySet<number> = new Set(portsOf(this.#spec))): number {
    const isUnused = (one: number) => !this.#allocated.has(one) && !given.has(one)
    const port = freeNodePort(this.#uid, (one) => isUnused(one) && this.#isFree(one))
    if (port === undefined) throw internalError('failed to allocate a nodePort: range is full')
    this.#hold(port)
    return port
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

/** Node port requested for any protocol of `port`; 0: none. */
function requested(port: number, ports: readonly Port[]): number {
  return ports.find((one) => one.port === port && (one.nodePort ?? 0) !== 0)?.nodePort ?? 0
}

const rangeText = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`
