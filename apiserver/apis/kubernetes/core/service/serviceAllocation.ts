import { invalidField } from '../../../../meta/fieldErrors.ts'
import { internalError, invalid } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { Store } from '../../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../../registry/strategy.ts'
import type { PlaneAccess } from '../../../planeAccess.ts'
import { clusterAddress, defaultServiceRange, freeClusterAddress } from './serviceAddress.ts'
import { addressValue, isAddress, ServiceAllocations } from './serviceAllocations.ts'
import { initFamilies } from './serviceFamilies.ts'
import { keepAllocated, normalizeClusterIPs } from './serviceKept.ts'
import { NodePortAllocation } from './nodePortAllocation.ts'
import { dropTypeDependent } from './serviceNodePorts.ts'
import { isExternal, setDefaults, specOf, type ServiceSpec } from './serviceSpec.ts'

/**
 * Strategy of services with unique addresses and node ports on a plane. Both are allocated before any validation, so
 * their error is the only one. The server's own writes allocate without checks.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function withAllocation(strategy: Strategy, access: PlaneAccess): Strategy {
  const known = new WeakMap<Store, ServiceAllocations>()
  const of = (context: RequestContext): PlaneAddresses => {
    const plane = access.of(context)
    const store = plane.store({ group: '', resource: 'services' })
    let found = known.get(store)
    if (found === undefined) known.set(store, (found = new ServiceAllocations(store)))
    return { allocations: found, range: plane.serviceRange() ?? defaultServiceRange }
  }
  return {
    ...strategy,
    ready: async (context) => {
      if (context.isTrusted !== true) await of(context).allocations.follow()
    },
    prepareForCreate: (object, context) => {
      setDefaults(object)
      normalizeClusterIPs(specOf(object), undefined)
      // A service created by a write of its status has no addresses. Source: seen on kube-apiserver 1.37.2.
      if (context.subresource === undefined) allocate(object, undefined, { context, of })
      strategy.prepareForCreate?.(object, context)
    },
    prepareForUpdate: (next, old, context) => {
      setDefaults(next)
      keepAllocated(specOf(next), specOf(old))
      normalizeClusterIPs(specOf(next), specOf(old))
      // A different UID is refused later.
      if (next.metadata.uid === old.metadata.uid) allocate(next, old, { context, of })
      dropTypeDependent(specOf(next), specOf(old))
      strategy.prepareForUpdate?.(next, old, context)
    },
  }
}

interface AllocationRequest {
  context: RequestContext
  of: (context: RequestContext) => PlaneAddresses
}

/** Addresses in use on a plane, and the range for new ones. */
interface PlaneAddresses {
  allocations: ServiceAllocations
  range: string
}

/**
 * Sets the families, addresses and node ports of a service.
 * @throws StatusError 422 for an invalid one, 500 if none is left.
 */
function allocate(
  object: ApiObject,
  old: ApiObject | undefined,
  { context, of }: AllocationRequest,
): void {
  const spec = specOf(object)
  const before = old && specOf(old)
  const errors = initFamilies(spec, before)
  if (context.isTrusted === true) {
    if (needsAddress(spec)) setClusterIPs(spec, [clusterAddress(object.metadata.uid ?? '')])
    return
  }
  if (errors.length > 0) throw refusal(object, errors)
  const { allocations, range } = of(context)
  allocateAddresses(object, before, { allocations, range })
  new NodePortAllocation(object, { old: before, allocations, dryRun: context.dryRun }).run()
}

function refusal({ metadata: { name = '' } }: ApiObject, errors: Parameters<typeof invalid>[2]) {
  return invalid({ group: '', kind: 'Service' }, name, errors)
}

function needsAddress(spec: ServiceSpec): boolean {
  return !isExternal(spec) && (spec.clusterIPs ?? []).length === 0
}

function setClusterIPs(spec: ServiceSpec, clusterIPs: string[]): void {
  spec.clusterIPs = clusterIPs
  const [first] = clusterIPs
  if (first !== undefined) spec.clusterIP = first
}

/** Allocates addresses for a new service and one without an address; others keep theirs. */
function allocateAddresses(
  object: ApiObject,
  old: ServiceSpec | undefined,
  { allocations, range }: PlaneAddresses,
): void {
  const spec = specOf(object)
  const { uid = '' } = object.metadata
  const isFree = (one: string) => allocations.isFree(addressValue(one), uid)
  const hadAddress = old !== undefined && !isExternal(old)
  if (!hadAddress && needsAddress(spec)) {
    setClusterIPs(spec, [freeClusterAddress(uid, range, isFree) ?? noAddress(object)])
  }
  const { clusterIPs = [] } = spec
  if (isExternal(spec)) return
  for (const one of clusterIPs.filter(isAddress)) {
    if (!isFree(one)) throw takenAddress(object, one)
    allocations.take(addressValue(one), object)
  }
}

function takenAddress(object: ApiObject, one: string) {
  const why = `failed to allocate IP ${one}: provided IP is already allocated`
  return refusal(object, [invalidField('spec.clusterIPs', specOf(object).clusterIPs, why)])
}

function noAddress({ metadata: { name = '' } }: ApiObject): never {
  throw internalError(`failed to allocate a serviceIP for Service "${name}": range is full`)
}
