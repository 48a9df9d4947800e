import { invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { internalError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { Store } from '../../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../../registry/strategy.ts'
import type { PlaneAccess } from '../../../planeAccess.ts'
import { firstNodePort, freeClusterAddress, freeNodePort, lastNodePort } from './serviceAddress.ts'
import {
  addressValue,
  heldBy,
  isAddress,
  nodePortValue,
  ServiceAllocations,
} from './serviceAllocations.ts'
import { keepNodePorts, needsHealthPort, needsNodePorts } from './serviceNodePorts.ts'
import { keepAddress, setDefaults, specOf, type ServiceSpec } from './serviceSpec.ts'

/** The strategy of services whose addresses and node ports no two of a plane share. What the server itself writes is left
 *  as it is. Source: Kubernetes documentation, "Service ClusterIP allocation" and "Type NodePort"; the real server's
 *  answers. */
export function withAllocation(strategy: Strategy, access: PlaneAccess): Strategy {
  const known = new WeakMap<Store, ServiceAllocations>()
  const of = (context: RequestContext): ServiceAllocations => {
    const store = access.of(context).store({ group: '', resource: 'services' })
    let found = known.get(store)
    if (found === undefined) known.set(store, (found = new ServiceAllocations(store)))
    return found
  }
  const errors = (object: ApiObject, context: RequestContext): FieldError[] =>
    context.isTrusted === true ? [] : takenErrors(object, of(context))
  return {
    ...strategy,
    ready: async (context) => {
      if (context.isTrusted !== true) await of(context).follow()
    },
    prepareForCreate: (object, context) => {
      setDefaults(object)
      if (context.isTrusted !== true) allocate(object, of(context))
      strategy.prepareForCreate?.(object, context)
    },
    prepareForUpdate: (next, old, context) => {
      setDefaults(next)
      keepAddress(specOf(next), specOf(old))
      keepNodePorts(specOf(next), specOf(old))
      if (context.isTrusted !== true) allocate(next, of(context))
      strategy.prepareForUpdate?.(next, old, context)
    },
    validate: (object, context) =>
      firstOf(strategy.validate?.(object, context) ?? [], () => errors(object, context)),
    validateUpdate: (next, old, context) =>
      firstOf(strategy.validateUpdate?.(next, old, context) ?? [], () => errors(next, context)),
  }
}

function firstOf(found: FieldError[], others: () => FieldError[]): FieldError[] {
  return found.length > 0 ? found : others()
}

/** Takes what the service names, and what it needs beside that.
 *  @throws StatusError 500 where nothing is left. */
function allocate(object: ApiObject, allocations: ServiceAllocations): void {
  const spec = specOf(object)
  const { uid = '' } = object.metadata
  const isFree = (value: string) => allocations.isFree(value, uid)
  if (spec.type !== 'ExternalName' && spec.clusterIPs === undefined) {
    spec.clusterIP ??=
      freeClusterAddress(uid, (one) => isFree(addressValue(one))) ?? none('a serviceIP')
  }
  const used = new Set((spec.ports ?? []).map(({ nodePort = 0 }) => nodePort))
  const newPort = (): number => {
    const port = freeNodePort(uid, (one) => !used.has(one) && isFree(nodePortValue(one)))
    used.add(port ?? 0)
    return port ?? none('a nodePort')
  }
  if (needsNodePorts(spec)) fillNodePorts(spec, newPort)
  if (needsHealthPort(spec)) spec.healthCheckNodePort ??= newPort()
  for (const value of heldBy(object)) if (isFree(value)) allocations.take(value, object)
}

function none(what: string): never {
  throw internalError(`failed to allocate ${what}: range is full`)
}

/** Protocols of one port share a node port. */
function fillNodePorts({ ports = [] }: ServiceSpec, newPort: () => number): void {
  const shared = new Map<number, number>()
  for (const { port, nodePort = 0 } of ports) if (nodePort > 0) shared.set(port, nodePort)
  for (const port of ports) {
    if ((port.nodePort ?? 0) > 0) continue
    const nodePort = shared.get(port.port) ?? newPort()
    shared.set(port.port, nodePort)
    port.nodePort = nodePort
  }
}

function takenErrors(object: ApiObject, allocations: ServiceAllocations): FieldError[] {
  const { clusterIP = '', clusterIPs = [clusterIP], ports = [] } = specOf(object)
  const { uid = '' } = object.metadata
  const isTaken = (value: string) => !allocations.isFree(value, uid)
  const address = isAddress(clusterIP) && isTaken(addressValue(clusterIP))
  const why = `failed to allocate IP ${clusterIP}: provided IP is already allocated`
  return [
    ...(address ? [invalidField('spec.clusterIPs', clusterIPs, why)] : []),
    ...ports.flatMap(({ nodePort = 0 }, index) => {
      const path = `spec.ports[${index}].nodePort`
      if (nodePort === 0) return []
      if (nodePort < firstNodePort || nodePort > lastNodePort) {
        return [invalidField(path, nodePort, rangeText)]
      }
      return isTaken(nodePortValue(nodePort))
        ? [invalidField(path, nodePort, 'provided port is already allocated')]
        : []
    }),
  ]
}

const rangeText = `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${lastNodePort}`
