import {
  duplicateField,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { errorIf, given, isSame } from '../../fieldChecks.ts'
import { nodeSelectorErrors } from '../core/pod/schedulingRules.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import { metaConditionErrors } from '../metaConditions.ts'
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  ResourceClaimConsumerReference,
} from '../shapes/resourceV1.ts'
import {
  configurationErrors,
  parameterErrors,
  referenceErrors,
  referencesErrors,
  RequestNames,
} from './resourceClaimRules.ts'
import {
  bindingErrors,
  deviceNameErrors,
  listErrors,
  poolErrors,
  tolerationErrors,
} from './deviceNames.ts'
import type { ResourceClaim } from './resourceShapes.ts'

const mostConsumers = 256
const mostResults = 32
const mostConfigurations = 64
const mostConditions = 8

/** Validates a new status of a claim. Source: Kubernetes API reference, ResourceClaimStatus v1. */
export function claimStatusErrors(next: ResourceClaim, old: ResourceClaim): FieldError[] {
  const { allocation, reservedFor = [], devices = [] } = next.status ?? {}
  const allocated = new Set((allocation?.devices?.results ?? []).map(placeOf))
  return [
    ...listErrors('status.reservedFor', reservedFor, {
      max: mostConsumers,
      each: consumerErrors,
      keyOf: ({ uid = '' }) => uid,
      isShown: true,
    }),
    ...devices.flatMap((one, at) => deviceErrors(`status.devices[${at}]`, one, allocated)),
    ...repeatedDevices(devices),
    ...reservationErrors(next, old),
    ...allocationChange(next, old),
  ]
}

/** Identity of a device: driver, pool, device and share. */
function placeOf({ driver = '', pool = '', device = '', shareID }: AllocatedDeviceStatus): string {
  const place = `${driver}/${pool}/${device}`
  return shareID === undefined ? place : `${place}/${shareID}`
}

/** The value as error messages show it: the fields of the internal type. */
function shownPlace({
  driver = '',
  pool = '',
  device = '',
  shareID = '',
}: AllocatedDeviceStatus): unknown {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID }
}

function repeatedDevices(devices: readonly AllocatedDeviceStatus[]): FieldError[] {
  const places = devices.map(placeOf)
  return places.flatMap((place, at) =>
    errorIf(places.indexOf(place) < at, () => duplicateField(`status.devices[${at}]`, place)),
  )
}

function consumerErrors(
  path: string,
  { resource, name, uid }: ResourceClaimConsumerReference,
): FieldError[] {
  return [
    ...given(`${path}.resource`, resource),
    ...given(`${path}.name`, name),
    ...given(`${path}.uid`, uid),
  ]
}

const stillWanted =
  'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'

function reservationErrors(next: ResourceClaim, old: ResourceClaim): FieldError[] {
  const path = 'status.reservedFor'
  const { allocation, reservedFor = [] } = next.status ?? {}
  if (reservedFor.length === 0) return []
  if (allocation === undefined) {
    return [forbiddenField(path, 'may not be specified when `allocated` is not set')]
  }
  const known = old.status?.reservedFor ?? []
  const adds = reservedFor.some((one) => !known.some((before) => isSame(one, before)))
  const isDeleted = next.metadata.deletionTimestamp !== undefined
  return errorIf(isDeleted && adds, () => forbiddenField(path, stillWanted))
}

function deviceErrors(
  path: string,
  status: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
): FieldError[] {
  const { driver = '', pool = '', device = '', data } = status
  const conditions = status.conditions ?? []
  return [
    ...driverErrors(`${path}.driver`, driver),
    ...poolErrors(`${path}.pool`, pool),
    ...deviceNameErrors(`${path}.device`, device),
    ...errorIf(!allocated.has(placeOf(status)), () =>
      invalidField(path, shownPlace(status), 'must be an allocated device in the claim'),
    ),
    ...errorIf(conditions.length > mostConditions, () =>
      tooManyField(`${path}.conditions`, conditions.length, mostConditions),
    ),
    ...metaConditionErrors(`${path}.conditions`, conditions),
    ...(data === undefined ? [] : parameterErrors(`${path}.data`, data)),
  ]
}

/** Errors for a changed allocation, which is set once and removed as a whole. */
function allocationChange(next: ResourceClaim, old: ResourceClaim): FieldError[] {
  const path = 'status.allocation'
  const [after, before] = [next.status?.allocation, old.status?.allocation]
  if (after === undefined) return []
  if (before !== undefined) {
    return errorIf(!isSame(after, before), () =>
      invalidField(path, undefined, 'field is immutable'),
    )
  }
  return allocationErrors(path, after, new RequestNames(next.spec?.devices))
}

function allocationErrors(
  path: string,
  { devices = {}, nodeSelector }: AllocationResult,
  names: RequestNames,
): FieldError[] {
  return [
    ...listErrors(`${path}.devices.results`, devices.results ?? [], {
      max: mostResults,
      each: (at, one) => resultErrors(at, one, names),
    }),
    ...listErrors(`${path}.devices.config`, devices.config ?? [], {
      max: mostConfigurations,
      each: (at, one) => [
        ...sourceErrors(`${at}.source`, one.source ?? ''),
        ...referencesErrors(`${at}.requests`, one.requests, names),
        ...configurationErrors(at, one),
      ],
    }),
    ...(nodeSelector === undefined
      ? []
      : nodeSelectorErrors(`${path}.nodeSelector`, nodeSelector.nodeSelectorTerms ?? [], false)),
  ]
}

function sourceErrors(path: string, source: string): FieldError[] {
  if (source === '') return [requiredField(path)]
  const sources = ['FromClaim', 'FromClass']
  return errorIf(!sources.includes(source), () => notSupportedField(path, source, sources))
}

function resultErrors(
  path: string,
  result: DeviceRequestAllocationResult,
  names: RequestNames,
): FieldError[] {
  const { request = '', driver = '', pool = '', device = '', tolerations = [] } = result
  return [
    ...referenceErrors(`${path}.request`, request, names),
    ...driverErrors(`${path}.driver`, driver),
    ...poolErrors(`${path}.pool`, pool),
    ...deviceNameErrors(`${path}.device`, device),
    ...bindingErrors(path, result.bindingConditions, result.bindingFailureConditions),
    ...tolerations.flatMap((one, at) => tolerationErrors(`${path}.tolerations[${at}]`, one)),
  ]
}
