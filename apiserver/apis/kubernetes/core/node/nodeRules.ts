import {
  duplicateField,
  forbiddenField,
  internalField,
  invalidField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { parseRange } from '../../../../meta/ipAddress.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { addressRange } from '../../../addressChecks.ts'
import type { NodeSpec, NodeStatus } from '../../shapes/coreV1.ts'
import { resourceQuantityErrors } from '../container/resourceRules.ts'
import { taintErrors } from './taintRules.ts'

/**
 * Errors for a new node. The path of taints is that of kube-apiserver.
 * Source: Kubernetes API reference, Node v1; seen on kube-apiserver 1.37.2.
 */
export function nodeErrors({ spec = {}, status = {} }: NodeParts): FieldError[] {
  const { taints = [], podCIDRs = [] } = spec
  const path = 'spec.podCIDRs'
  return [
    ...taintErrors('metadata.taints', taints),
    ...quantityErrors(status),
    ...swapErrors(status),
    ...featureErrors(status),
    ...podCIDRs.flatMap((range, index) => addressRange(`${path}[${index}]`, range)),
    ...(podCIDRs.length > 1 ? familyErrors(path, podCIDRs) : []),
  ]
}

/** Errors for the swap capacity, with the path of the real server. */
function swapErrors({ nodeInfo: { swap: { capacity = 1 } = {} } = {} }: NodeStatus): FieldError[] {
  const path = 'metadata.nodeSwapStatus.capacity'
  return capacity > 0 ? [] : [invalidField(path, capacity, 'must be greater than zero')]
}

interface NodeParts {
  spec?: NodeSpec
  status?: NodeStatus
}

function familyErrors(path: string, ranges: readonly string[]): FieldError[] {
  const families = ranges.map((range) => parseRange(range)?.address.width)
  const wrong = families.indexOf(undefined)
  const isOfEach = wrong < 0 && families.length === 2 && families[0] !== families[1]
  const wrongText = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${ranges[wrong] ?? ''})`
  const problem = `invalid PodCIDRs. failed to check with dual stack with error:${wrongText}`
  return [
    ...(wrong < 0 ? [] : [internalField(path, problem)]),
    ...(isOfEach
      ? []
      : [invalidField(path, ranges, 'may specify no more than one CIDR for each IP family')]),
  ]
}

const maxFeatureName = 253
const featureForm = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const featureText =
  "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"

/** Errors for the features that a node declares, which must be sorted and distinct. */
function featureErrors({ declaredFeatures: names = [] }: NodeStatus): FieldError[] {
  const path = 'status.declaredFeatures'
  return names.flatMap((name, index) => {
    const next = names[index + 1]
    const at = `${path}[${index + 1}]`
    return [
      ...featureNameErrors(`${path}[${index}]`, name),
      ...(next === name ? [duplicateField(at, next)] : []),
      ...(next !== undefined && next < name
        ? [invalidField(at, next, 'list must be sorted alphabetically')]
        : []),
    ]
  })
}

function featureNameErrors(path: string, name: string): FieldError[] {
  const refuse = (why: string) => [
    invalidField(path, name, `invalid feature name ${goQuote(name)}: ${why}`),
  ]
  if (Buffer.byteLength(name) > maxFeatureName)
    return refuse(`must be no more than ${maxFeatureName} characters`)
  return featureForm.test(name) ? [] : refuse(featureText)
}

function quantityErrors(status: NodeStatus): FieldError[] {
  return (['capacity', 'allocatable'] as const).flatMap((field) =>
    Object.entries(status[field] ?? {}).flatMap(([name, quantity]) =>
      resourceQuantityErrors(`status.${field}.${name}`, name, quantity),
    ),
  )
}

/** Errors for a changed node: its ranges and its provider are immutable once set. */
export function nodeChangeErrors(
  { spec: next = {}, status = {} }: NodeParts,
  { spec: old = {} }: NodeParts,
): FieldError[] {
  const { addresses = [] } = status
  const isRepeat = repeats(addresses.map(({ type = '', address = '' }) => `${type} ${address}`))
  return [
    ...quantityErrors(status),
    ...featureErrors(status),
    ...addresses.flatMap(({ type = '', address = '' }, index) =>
      isRepeat[index] === true
        ? [duplicateField(`status.addresses[${index}]`, { Type: type, Address: address })]
        : [],
    ),
    ...rangeChangeErrors(next.podCIDRs ?? [], old.podCIDRs ?? []),
    ...providerErrors(next.providerID ?? '', old.providerID ?? ''),
    ...taintErrors('metadata.taints', next.taints ?? []),
    ...(next.externalID === old.externalID
      ? []
      : [forbiddenField('spec.externalID', 'may not be updated')]),
  ]
}

function rangeChangeErrors(next: readonly string[], old: readonly string[]): FieldError[] {
  const detail = 'node updates may not change podCIDR except from "" to valid'
  const refused = forbiddenField('spec.podCIDRs', detail)
  if (old.length > 0 && next.length !== old.length) return [refused]
  return old.filter((range, index) => range !== next[index]).map(() => refused)
}

function providerErrors(next: string, old: string): FieldError[] {
  if (old === '' || next === old) return []
  const detail =
    next === '' ? 'field cannot be cleared once set' : 'field cannot be modified once set'
  return [invalidField('spec.providerID', null, detail)]
}

/** Keeps the list of ranges and the older field of its first range consistent. */
export function fillRanges(spec: NodeSpec | undefined): void {
  if (spec === undefined) return
  const { podCIDR = '', podCIDRs = [] } = spec
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  else if (podCIDR === '' && podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0]
}
