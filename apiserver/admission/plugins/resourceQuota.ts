import { asPod } from '../../apis/kubernetes/core/pod/podTypes.ts'
import type { Container } from '../../apis/kubernetes/shapes/coreV1.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject, GroupResource } from '../../meta/types.ts'
import type { AdmissionRequest, AdmissionTarget } from '../../registry/admission.ts'
import { encodeObject } from '../../registry/objectBytes.ts'
import { groupResource } from '../../registry/resource.ts'
import { Undecided } from '../../registry/write/undecided.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import {
  addQuantity,
  quantityOf,
  quantitiesOf,
  quantitiesString,
  quantityString,
  type ResourceQuantity,
  type ResourceQuantities,
} from '../resourceQuantities.ts'
import type { NewestObject, PlaneObjects } from '../planeObjects.ts'
import { quotasResource, quotaSpec, quotaStatus, type QuotaStatus } from '../quota/quota.ts'
import { inScopes } from '../quota/quotaScopes.ts'
import { addResources, difference, kindOfName, usageOf } from '../quota/quotaUsage.ts'
import type { FollowedObjects } from '../followedObjects.ts'

/** Kinds whose updates may increase usage. */
const updated = ['services', 'persistentvolumeclaims']

/** Refuses objects beyond the quotas of their namespace. Usage is updated in the turn of the write, so that concurrent
 *  requests see it.
 *  Source: Kubernetes, "Resource Quotas". */
export function resourceQuota(
  objects: PlaneObjects,
  quotas: FollowedObjects<string>,
): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    handles: (target) => target.resource.namespaced && mayUseMore(target),
    charge: (request) => {
      const names = quotas.inNamespace(request.namespace)
      return names.length === 0 ? undefined : charge(request, names, objects)
    },
  }
}

function mayUseMore({ operation, subresource, resource }: AdmissionTarget): boolean {
  if (operation === 'CREATE') return subresource === ''
  if (operation !== 'UPDATE' || resource.group !== '') return false
  if (resource.plural === 'pods') return subresource === 'resize'
  return subresource === '' && updated.includes(resource.plural)
}

interface Charge {
  quota: NewestObject
  /** Change of the resources that the quota bounds. */
  delta: ResourceQuantities
}

function charge(
  request: AdmissionRequest,
  names: readonly string[],
  objects: PlaneObjects,
): Promise<unknown> | undefined {
  const { object, oldObject, resource, namespace, context } = request
  if (object === undefined) return undefined
  const kind = groupResource(resource)
  const usage = usageOf(kind, object)
  const delta = oldObject === undefined ? usage : difference(usage, usageOf(kind, oldObject))
  const charges = names.flatMap((name) => {
    const quota = objects.newest(quotasResource, namespace, name)
    return quota === undefined ? [] : chargeOf(request, { kind, delta, quota })
  })
  for (const one of charges) refuseExcess(request, one, objects)
  if (context.dryRun) return undefined
  return Promise.all(charges.map((one) => writeCharge(one, objects)))
}

function chargeOf(
  request: AdmissionRequest,
  { kind, delta, quota }: { kind: GroupResource; delta: ResourceQuantities; quota: NewestObject },
): Charge[] {
  const { object, resource, name } = request
  const { hard = {}, used = {} } = quotaStatus(quota.object)
  const own = Object.keys(hard).filter((one) => isSameKind(kindOfName(one), kind))
  if (object === undefined || own.length === 0) return []
  if (!inScopes(quotaSpec(quota.object), kind, object)) return []
  const { name: quotaName = '' } = quota.object.metadata
  const refuse = (why: string) => forbidden(groupResource(resource), name, why)
  const missing =
    kind.resource === 'pods' && kind.group === '' ? missingQuantities(object, own) : ''
  if (missing !== '') throw refuse(`failed quota: ${quotaName}: must specify ${missing}`)
  const unknown = own.filter((one) => used[one] === undefined)
  if (unknown.length > 0) {
    throw refuse(`status unknown for quota: ${quotaName}, resources: ${unknown.sort().join(',')}`)
  }
  const charged = new Map([...delta].filter(([one]) => own.includes(one)))
  return charged.size === 0 ? [] : [{ quota, delta: charged }]
}

function isSameKind(a: GroupResource, b: GroupResource): boolean {
  return a.group === b.group && a.resource === b.resource
}

const explicit = [
  ...['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'],
]

/** Quantities that the quota requires but containers of the pod lack; empty: none. */
function missingQuantities(object: ApiObject, names: readonly string[]): string {
  const { containers, initContainers = [], resources } = asPod({ ...object }).spec
  if (resources !== undefined) return ''
  const missing = new Map<string, string[]>()
  const all: Container[] = [...(containers ?? []), ...initContainers]
  for (const { name = '', resources: own } of all) {
    const said = new Map<string, ResourceQuantity>()
    addResources(said, quantitiesOf(own?.requests), quantitiesOf(own?.limits))
    for (const one of names) {
      if (!explicit.includes(one) || said.has(one)) continue
      missing.set(one, [...(missing.get(one) ?? []), name])
    }
  }
  return [...missing]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([one, of]) => `${one} for: ${of.sort().join(',')}`)
    .join('; ')
}

/** @throws StatusError Forbidden; Undecided if the usage includes charges that may still fail. */
function refuseExcess(
  { resource, name }: AdmissionRequest,
  { quota, delta }: Charge,
  objects: PlaneObjects,
): void {
  const { hard = {}, used = {} } = quotaStatus(quota.object)
  const exceeded = [...delta].filter(([one, quantity]) => {
    if (quantity.nanos <= 0n) return false
    return (
      addQuantity(quantityOf(used[one] ?? '0'), quantity).nanos > quantityOf(hard[one] ?? '0').nanos
    )
  })
  if (exceeded.length === 0) return
  const undecided = objects.undecided(quota)
  if (undecided !== undefined) throw new Undecided(undecided)
  const of = (texts: Record<string, string>) =>
    quantitiesString(new Map(exceeded.map(([one]) => [one, quantityOf(texts[one] ?? '0')])))
  const requested = quantitiesString(new Map(exceeded))
  const why = `requested: ${requested}, used: ${of(used)}, limited: ${of(hard)}`
  const quotaName = quota.object.metadata.name ?? ''
  throw forbidden(groupResource(resource), name, `exceeded quota: ${quotaName}, ${why}`)
}

function writeCharge({ quota, delta }: Charge, objects: PlaneObjects): Promise<unknown> {
  const next = structuredClone(quota.object)
  const status: QuotaStatus = quotaStatus(next)
  const used = { ...status.used }
  for (const [name, quantity] of delta) {
    used[name] = quantityString(addQuantity(quantityOf(used[name] ?? '0'), quantity))
  }
  next['status'] = { ...status, used }
  return objects.update(quota.key, encodeObject(next), quota.revision)
}
