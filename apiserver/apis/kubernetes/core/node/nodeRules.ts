import { forbiddenField, invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { isAddressRange } from '../service/addressRange.ts'
import { taintErrors, type Taint } from './taintRules.ts'

export interface NodeSpec {
  unschedulable?: boolean
  podCIDR?: string
  podCIDRs?: string[]
  providerID?: string
  taints?: Taint[]
  configSource?: unknown
  externalID?: string
}

const rangeText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** The path of taints is one of the library's. Source: Kubernetes API reference, NodeSpec v1; observed answers. */
export function nodeSpecErrors({ taints = [], podCIDRs = [] }: NodeSpec): FieldError[] {
  return [
    ...taintErrors('metadata.taints', taints),
    ...podCIDRs.flatMap((range, index) =>
      isAddressRange(range) ? [] : [invalidField(`spec.podCIDRs[${index}]`, range, rangeText)],
    ),
  ]
}

/** What was once given to a node stays. */
export function nodeSpecChangeErrors(next: NodeSpec, old: NodeSpec): FieldError[] {
  const { podCIDRs: before = [], providerID = '', externalID } = old
  const isMoved = before.length > 0 && before.join() !== (next.podCIDRs ?? []).join()
  const isOther = providerID !== '' && next.providerID !== providerID
  const rangesText = 'node updates may not change podCIDR except from "" to valid'
  const providerText = 'node updates may not change providerID except from "" to valid'
  return [
    ...(next.externalID === externalID
      ? []
      : [forbiddenField('spec.externalID', 'may not be updated')]),
    ...(isMoved ? [forbiddenField('spec.podCIDRs', rangesText)] : []),
    ...(isOther ? [forbiddenField('spec.providerID', providerText)] : []),
  ]
}

/** The older field of one range is the first of the list. */
export function fillRanges(spec: NodeSpec | undefined): void {
  if (spec === undefined) return
  const { podCIDR = '', podCIDRs = [] } = spec
  if (podCIDR !== '' && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  else if (podCIDR === '' && podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0]
}
