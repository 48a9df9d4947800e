import { invalidField } from '../../../../meta/fieldErrors.ts'
import { parseAddress } from '../../../../meta/ipAddress.ts'
import { internalError, invalid } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { Store } from '../../../../registry/store.ts'
import type { RequestContext, Strategy } from '../../../../registry/strategy.ts'
import type { PlaneAccess } from '../../../planeAccess.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import {
  clusterAddress,
  defaultServiceRange,
  freeClusterAddress,
  holdsServiceAddress,
} from './serviceAddress.ts'
import { addressValue, ServiceAllocations } from './serviceAllocations.ts'
import { initFamilies } from './serviceFamilies.ts'
import { familyOfRange, FamilyRanges } from './serviceRanges.ts'
import { keepAllocated, normalizeClusterIPs } from './serviceKept.ts'
import { NodePortAllocation } from './nodePortAllocation.ts'
import { dropTypeDependent } from './serviceNodePorts.ts'
import { isExternal, isHeadless, setDefaults, specOf } from './serviceSpec.ts'

/**
 * Strategy of services with unique addresses and node ports on a plane. Both are allocated before
 * validation, so an allocation error is the only error. The server's own writes allocate without
 * checks.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function withAllocation(strategy: Strategy, access: PlaneAccess): Strategy {
  const known = new WeakMap<Store, ServiceAllocations>()
  const of = (context: RequestContext): PlaneAddresses => {
    const plane = access.of(context)
    const store = plane.store({ group: '', resource: 'services' })
    let found = known.get(store)
    if (found === undefined) known.set(store, (found = new ServiceAllocations(store)))
    const ranges = plane.serviceRanges() ?? [defaultServiceRange]
    const cidrs = plane.store({ group: 'networking.k8s.io', resource: 'servicecidrs' })
    return { allocations: found, ranges, cidrs }
  }
  return {
    ...strategy,
    ready: async (context) => {
      if (context.isTrusted === true) return
      const { allocations, cidrs } = of(context)
      await Promise.all([allocations.follow(), cidrs.cache.warm()])
    },
    prepareForCreate: (object, context) => {
      setDefaults(object)
      normalizeClusterIPs(specOf(object), undefined)
      // A service created by a status write has no addresses. Source: seen on kube-apiserver
      // 1.37.2.
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

/** Addresses in use on a plane, and the ranges for new ones. */
interface PlaneAddresses {
  allocations: ServiceAllocations
  /** Ranges of the configured families, one each, default first. */
  ranges: readonly string[]
  /** Store of ServiceCIDRs with further ranges. */
  cidrs: Store
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
  if (context.isTrusted === true) {
    initFamilies(spec, before, ['IPv4', 'IPv6'])
    if (needsAddress(spec)) setClusterIPs(spec, [clusterAddress(object.metadata.uid ?? '')])
    return
  }
  const addresses = of(context)
  const errors = initFamilies(spec, before, addresses.ranges.map(familyOfRange))
  if (errors.length > 0) throw refusal(object, errors)
  const { dryRun } = context
  allocateAddresses(object, before, { addresses, dryRun })
  const { allocations } = addresses
  new NodePortAllocation(object, { old: before, allocations, dryRun }).run()
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

/**
 * Allocates the requested addresses and an address for each family that has none; others keep
 * theirs.
 */
function allocateAddresses(
  object: ApiObject,
  old: ServiceSpec | undefined,
  { addresses, dryRun }: { addresses: PlaneAddresses; dryRun: boolean },
): void {
  const spec = specOf(object)
  if (isExternal(spec) || isHeadless(spec)) return
  const { uid = '' } = object.metadata
  const { allocations } = addresses
  const { clusterIPs = [], ipFamilies = [] } = spec
  const isFree = (one: string) => allocations.isFree(addressValue(one), uid)
  const had = hadAddresses(old)
  const kept = had?.length ?? 0
  // A service created by a status write stays without addresses.
  const families = had?.length === 0 ? ipFamilies.slice(0, clusterIPs.length) : ipFamilies
  const known = new FamilyRanges(addresses.ranges, addresses.cidrs.cache)
  const allocated = families.map((family, index) => {
    const given = clusterIPs[index]
    // Validation refuses a changed address.
    if (given !== undefined && index < kept) return given
    const ranges = known.of(family)
    if (given === undefined) return freeAddress(uid, ranges, isFree) ?? noAddress(object)
    if (!isInside(given, ranges))
      throw refusedAddress(object, given, outside(given, ranges, dryRun))
    if (!isFree(given)) throw refusedAddress(object, given, 'provided IP is already allocated')
    return given
  })
  for (const one of allocated.slice(kept)) allocations.take(addressValue(one), object)
  if (allocated.length > 0) setClusterIPs(spec, allocated)
}

/** Addresses of the stored service; undefined if it could have none. */
function hadAddresses(old: ServiceSpec | undefined): readonly string[] | undefined {
  return old === undefined || isExternal(old) ? undefined : (old.clusterIPs ?? [])
}

function isInside(text: string, ranges: readonly string[]): boolean {
  const address = parseAddress(text)
  return address !== undefined && ranges.some((range) => holdsServiceAddress(range, address))
}

function outside(address: string, [range = '']: readonly string[], dryRun: boolean): string {
  if (!dryRun) return 'the provided network does not match the current range'
  return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range}`
}

function freeAddress(
  uid: string,
  ranges: readonly string[],
  isFree: (address: string) => boolean,
): string | undefined {
  for (const range of ranges) {
    const found = freeClusterAddress(uid, range, isFree)
    if (found !== undefined) return found
  }
  return undefined
}

function refusedAddress(object: ApiObject, one: string, why: string) {
  const { clusterIPs } = specOf(object)
  const detail = `failed to allocate IP ${one}: ${why}`
  return refusal(object, [invalidField('spec.clusterIPs', clusterIPs, detail)])
}

function noAddress({ metadata: { name = '' } }: ApiObject): never {
  throw internalError(`failed to allocate a serviceIP for Service "${name}": range is full`)
}
