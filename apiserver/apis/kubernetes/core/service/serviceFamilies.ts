import { invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { clusterIPErrors, familyOf, type IpFamily } from './clusterIPRules.ts'
import {
  hasSameAddresses,
  hasSameFamilies,
  isExternal,
  isHeadless,
  isSelecting,
} from './serviceSpec.ts'

/**
 * Sets the families of a service and their policy from its fields, or returns the errors.
 * `configured`: the families of the plane's ranges, default first. Changes `next`. Source:
 * kube-apiserver, `initIPFamilyFields`; seen on 1.37.2.
 */
export function initFamilies(
  next: ServiceSpec,
  old: ServiceSpec | undefined,
  configured: readonly IpFamily[],
): FieldError[] {
  if (isExternal(next) || keepsDualStack(next, old)) return []
  next.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? usualPolicy(next)
  const shape = clusterIPErrors(next, old)
  if (shape.length > 0) return shape
  const reduced = old === undefined ? [] : reduceFamilies(next, old)
  const errors = [...reduced, ...countErrors(next), ...takeGivenFamilies(next, configured)]
  if (errors.length > 0) return errors
  const [first = 'IPv4'] = configured
  return isHeadless(next) && !isSelecting(next)
    ? fillOpenFamilies(next, first)
    : fillFamilies(next, configured)
}

/** Reports whether the service prefers dual stack and is unchanged. */
function keepsDualStack(next: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || old.type !== next.type) return false
  const prefers = ({ ipFamilyPolicy }: ServiceSpec) => ipFamilyPolicy === 'PreferDualStack'
  const hasPreferred = old.ipFamilyPolicy === undefined || prefers(old)
  return prefers(next) && hasPreferred && hasSameAddresses(next, old) && hasSameFamilies(next, old)
}

function usualPolicy(spec: ServiceSpec): string {
  return isHeadless(spec) && !isSelecting(spec) ? 'RequireDualStack' : 'SingleStack'
}

const policyPath = 'spec.ipFamilyPolicy'

/**
 * Drops the second address and family on a change to a single stack if the client left them
 * unchanged.
 */
function reduceFamilies(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (next.ipFamilyPolicy === 'SingleStack') {
    if (hasSameAddresses(next, old)) next.clusterIPs &&= next.clusterIPs.slice(0, 1)
    if (hasSameFamilies(next, old)) next.ipFamilies &&= next.ipFamilies.slice(0, 1)
    return []
  }
  const isReduced = (field: 'clusterIPs' | 'ipFamilies'): boolean => {
    const count = next[field]?.length ?? 0
    return count > 0 && count < (old[field]?.length ?? 0)
  }
  const refused = (what: string) =>
    invalidField(policyPath, next.ipFamilyPolicy, `must be 'SingleStack' to release the ${what}`)
  return [
    ...(isReduced('clusterIPs') ? [refused('secondary cluster IP')] : []),
    ...(isReduced('ipFamilies') ? [refused('secondary IP family')] : []),
  ]
}

function countErrors({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec) {
  if (ipFamilyPolicy !== 'SingleStack') return []
  const refused = (what: string) =>
    invalidField(
      policyPath,
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    )
  return [
    ...(clusterIPs.length === 2 ? [refused('cluster IPs')] : []),
    ...(ipFamilies.length === 2 ? [refused('IP families')] : []),
  ]
}

/** Adds the families of requested addresses. Returns errors of families that are not configured. */
function takeGivenFamilies(spec: ServiceSpec, configured: readonly IpFamily[]): FieldError[] {
  if (isHeadless(spec)) return []
  const { clusterIPs = [], ipFamilies = [] } = spec
  const rest = clusterIPs.map(familyOf).slice(ipFamilies.length)
  const known = rest.filter((family) => configured.includes(family))
  if (known.length > 0) spec.ipFamilies = [...ipFamilies, ...known]
  return rest.flatMap((family, index) => {
    if (configured.includes(family)) return []
    const path = `spec.clusterIPs[${ipFamilies.length + index}]`
    return [invalidField(path, clusterIPs, `${family} is not configured on this cluster`)]
  })
}

function otherFamily(family: string | undefined): string {
  return family === 'IPv4' ? 'IPv6' : 'IPv4'
}

/** Sets both families of a service without an address and without a selector, whose endpoints may have either. */
function fillOpenFamilies(spec: ServiceSpec, first: IpFamily): FieldError[] {
  const families = spec.ipFamilies ?? []
  spec.ipFamilies = families.length === 0 ? [first] : families
  if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') {
    spec.ipFamilies = [...spec.ipFamilies, otherFamily(spec.ipFamilies[0])]
  }
  return []
}

function fillFamilies(spec: ServiceSpec, configured: readonly string[]): FieldError[] {
  const { ipFamilies = [], ipFamilyPolicy } = spec
  const isSingle = configured.length < 2
  const missing = 'this cluster is not configured for dual-stack services'
  const errors = [
    ...(ipFamilyPolicy === 'RequireDualStack' && isSingle
      ? [invalidField(policyPath, ipFamilyPolicy, missing)]
      : []),
    ...ipFamilies.flatMap((family, index) =>
      configured.includes(family)
        ? []
        : [invalidField(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ]
  if (errors.length > 0) return errors
  spec.ipFamilies = ipFamilies.length === 0 ? configured.slice(0, 1) : ipFamilies
  if (ipFamilyPolicy !== 'SingleStack' && spec.ipFamilies.length === 1 && !isSingle) {
    spec.ipFamilies = [...spec.ipFamilies, otherFamily(spec.ipFamilies[0])]
  }
  return []
}
