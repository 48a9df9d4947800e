import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { errorIf } from '../../fieldChecks.ts'
import { nodeSelectorErrors } from '../core/pod/schedulingRules.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import type { Device, DeviceAttribute } from '../shapes/resourceV1.ts'
import {
  attributeNameErrors,
  bindingErrors,
  deviceNameErrors,
  listErrors,
  poolErrors,
  taintErrors,
} from './deviceNames.ts'
import type { ResourceSlice } from './resourceShapes.ts'

const mostDevices = 128
const mostAdvancedDevices = 64
const mostCounterSets = 8
const mostCounters = 32
const mostConsumed = 2
const mostAttributes = 32
const mostTaints = 16
const maxValueBytes = 64
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/

type Spec = NonNullable<ResourceSlice['spec']>

/** Validates the spec of a slice. Source: Kubernetes API reference, ResourceSliceSpec v1. */
export function sliceErrors({ spec = {} }: ResourceSlice): FieldError[] {
  const { driver = '', pool = {}, devices, sharedCounters } = spec
  const { resourceSliceCount: count = 0, generation = 0 } = pool
  const isPerDevice = spec.perDeviceNodeSelection === true
  return [
    ...driverErrors('spec.driver', driver),
    ...poolErrors('spec.pool.name', pool.name ?? ''),
    ...errorIf(count <= 0, () =>
      invalidField('spec.pool.resourceSliceCount', count, 'must be greater than zero'),
    ),
    ...errorIf(generation < 0, () => {
      const detail = 'must be greater than or equal to zero'
      return invalidField('spec.pool.generation', generation, detail)
    }),
    ...placeErrors(spec),
    ...errorIf(sharedCounters !== undefined && devices !== undefined, () =>
      invalidField('spec', '', 'only one of `sharedCounters` or `devices` is allowed'),
    ),
    ...listErrors('spec.devices', devices ?? [], {
      max: (devices ?? []).some(isAdvanced) ? mostAdvancedDevices : mostDevices,
      each: (path, device) => deviceErrors(path, device, isPerDevice),
      keyOf: ({ name = '' }) => name,
    }),
    ...listErrors('spec.sharedCounters', sharedCounters ?? [], {
      max: mostCounterSets,
      each: (path, { name = '', counters = {} }) => countersErrors(path, 'name', name, counters),
      keyOf: ({ name = '' }) => name,
      isShown: true,
    }),
  ]
}

function isAdvanced({ taints = [], consumesCounters = [] }: Device): boolean {
  return taints.length > 0 || consumesCounters.length > 0
}

/** Errors for a set of counters and for its name in `field`. */
function countersErrors(path: string, field: string, name: string, counters: object): FieldError[] {
  const keys = Object.keys(counters)
  return [
    ...(name === ''
      ? [requiredField(`${path}.${field}`)]
      : deviceNameErrors(`${path}.${field}`, name)),
    ...(keys.length === 0 ? [requiredField(`${path}.counters`)] : []),
    ...(keys.length > mostCounters
      ? [tooManyField(`${path}.counters`, keys.length, mostCounters)]
      : keys.flatMap((key) => deviceNameErrors(`${path}.counters`, key))),
  ]
}

const onePlace =
  'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'

/** Errors for the fields that name the nodes with the devices. */
function placeErrors(spec: Spec): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec
  const terms = nodeSelector?.nodeSelectorTerms ?? []
  const at = 'spec.nodeSelector.nodeSelectorTerms'
  const set = [
    ...(nodeName === undefined || nodeName === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection === true ? ['`perDeviceNodeSelection`'] : []),
  ]
  return [
    ...nodeNameErrors(
      'spec.nodeName',
      nodeName,
      'must be either unset or set to a non-empty string',
    ),
    ...(nodeSelector === undefined ? [] : nodeSelectorErrors('spec.nodeSelector', terms, false)),
    ...errorIf(nodeSelector !== undefined && terms.length !== 1, () =>
      invalidField(at, terms, 'must have exactly one node selector term'),
    ),
    ...trueErrors('spec.allNodes', allNodes),
    ...trueErrors('spec.perDeviceNodeSelection', perDeviceNodeSelection),
    ...errorIf(set.length === 0, () => requiredField('spec', onePlace)),
    ...errorIf(set.length > 1, () =>
      invalidField('spec', `{${set.join(', ')}}`, `${onePlace}, but multiple fields are set`),
    ),
  ]
}

function nodeNameErrors(path: string, name: string | undefined, detail: string): FieldError[] {
  if (name === undefined) return []
  if (name === '') return [invalidField(path, name, detail)]
  return subdomainErrors(name).map((text) => invalidField(path, name, text))
}

function trueErrors(path: string, value: boolean | undefined): FieldError[] {
  return errorIf(value === false, () =>
    invalidField(path, value, 'must be either unset or set to true'),
  )
}

function deviceErrors(path: string, device: Device, isPerDevice: boolean): FieldError[] {
  const { name = '', attributes = {}, capacity = {}, taints = [], consumesCounters = [] } = device
  const count = Object.keys(attributes).length + Object.keys(capacity).length
  return [
    ...deviceNameErrors(`${path}.name`, name),
    ...errorIf(count > mostAttributes, () => {
      const detail = `the total number of attributes and capacities must not exceed ${mostAttributes}`
      return invalidField(path, count, detail)
    }),
    ...Object.entries(attributes).flatMap(([key, value]) => [
      ...attributeNameErrors(`${path}.attributes`, key),
      ...attributeErrors(`${path}.attributes[${key}]`, value),
    ]),
    ...capacityErrors(`${path}.capacity`, device),
    ...listErrors(`${path}.taints`, taints, {
      max: mostTaints,
      each: (at, taint) => taintErrors(at, taint),
    }),
    ...listErrors(`${path}.consumesCounters`, consumesCounters, {
      max: mostConsumed,
      each: (at, { counterSet = '', counters = {} }) =>
        countersErrors(at, 'counterSet', counterSet, counters),
      keyOf: ({ counterSet = '' }) => counterSet,
      isShown: true,
    }),
    ...(isPerDevice ? ownPlaceErrors(path, device) : noPlaceErrors(path, device)),
    ...bindingErrors(path, device.bindingConditions, device.bindingFailureConditions),
  ]
}

function capacityErrors(path: string, { capacity = {}, ...device }: Device): FieldError[] {
  return Object.entries(capacity).flatMap(([key, { requestPolicy }]) => [
    ...attributeNameErrors(path, key),
    ...errorIf(requestPolicy !== undefined && device.allowMultipleAllocations !== true, () =>
      forbiddenField(`${path}[${key}].requestPolicy`, 'allowMultipleAllocations must be true'),
    ),
  ])
}

const valueNames = '`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`'

function attributeErrors(path: string, attribute: DeviceAttribute): FieldError[] {
  const { string, version } = attribute
  const set = Object.keys(attribute)
  const long = (field: string, value: string | undefined) =>
    errorIf(Buffer.byteLength(value ?? '') > maxValueBytes, () =>
      tooLongField(`${path}.${field}`, maxValueBytes),
    )
  return [
    ...long('string', string),
    ...errorIf(version !== undefined && !semanticVersion.test(version), () => {
      const detail = 'must be a string compatible with semver.org spec 2.0.0'
      return invalidField(`${path}.version`, version, detail)
    }),
    ...long('version', version),
    ...errorIf(set.length === 0, () =>
      invalidField(path, '', `must specify one of: ${valueNames}`),
    ),
    ...errorIf(set.length > 1, () =>
      invalidField(path, `{${set.join(', ')}}`, `must specify exactly one of: ${valueNames}`),
    ),
  ]
}

const oneDevicePlace =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

function ownPlaceErrors(path: string, device: Device): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device
  const set = [
    ...(nodeName === undefined || nodeName === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ]
  return [
    ...nodeNameErrors(`${path}.nodeName`, nodeName, 'must not be empty'),
    ...(nodeSelector === undefined
      ? []
      : nodeSelectorErrors(`${path}.nodeSelector`, nodeSelector.nodeSelectorTerms ?? [], false)),
    ...trueErrors(`${path}.allNodes`, allNodes),
    ...errorIf(set.length === 0, () => requiredField(path, oneDevicePlace)),
    ...errorIf(set.length > 1, () => invalidField(path, `{${set.join(', ')}}`, oneDevicePlace)),
  ]
}

const noDevicePlace =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'

function noPlaceErrors(path: string, { nodeName, nodeSelector, allNodes }: Device): FieldError[] {
  const isSet = [nodeName, nodeSelector, allNodes].some((one) => one !== undefined)
  return errorIf(isSet, () => invalidField(path, null, noDevicePlace))
}
