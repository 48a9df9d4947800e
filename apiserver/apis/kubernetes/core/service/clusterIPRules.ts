import { duplicateField, invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { parseAddress } from '../../../../meta/ipAddress.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { address } from '../../../addressChecks.ts'
import { oneOf, optionalChoice } from '../../../fieldChecks.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { isExternal, isHeadless } from './serviceSpec.ts'

const families = ['IPv4', 'IPv6']
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

export type IpFamily = 'IPv4' | 'IPv6'

/** The IP family of a valid address. */
export function familyOf(text: string): IpFamily {
  return parseAddress(text)?.width === 128 ? 'IPv6' : 'IPv4'
}

/**
 * Errors for a service's addresses and families in combination; `old` undefined: a new service.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function clusterIPErrors(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (isExternal(spec)) return []
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec
  const isRepeat = repeats(ipFamilies)
  const wrong = listErrors(clusterIPs, old?.clusterIPs ?? [])
  return [
    ...firstErrors(spec),
    ...ipFamilies.flatMap((family, index) => [
      ...oneOf(`spec.ipFamilies[${index}]`, family, families),
      ...(isRepeat[index] === true ? [duplicateField(`spec.ipFamilies[${index}]`, family)] : []),
    ]),
    ...optionalChoice('spec.ipFamilyPolicy', ipFamilyPolicy, familyPolicies),
    ...wrong,
    ...(clusterIPs.length > 2
      ? [invalidField('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values')]
      : []),
    ...(wrong.length > 0 ? [] : familyErrors(spec)),
  ]
}

/** Errors if the single address differs from the first of the list. */
function firstErrors({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  const path = 'spec.clusterIPs'
  const isFirst = clusterIPs[0] === clusterIP && clusterIP !== ''
  if (clusterIPs.length === 0 || isFirst) return []
  const detail =
    clusterIP === ''
      ? 'must be empty when `clusterIP` is not specified'
      : 'first value must match `clusterIP`'
  return [invalidField(path, clusterIPs, detail)]
}

function listErrors(clusterIPs: readonly string[], kept: readonly string[]): FieldError[] {
  return clusterIPs.flatMap((one, index) => {
    if (index > 0 || one !== 'None') return address(`spec.clusterIPs[${index}]`, one, kept)
    const detail = "'None' must be the first and only value"
    return clusterIPs.length === 1 ? [] : [invalidField('spec.clusterIPs', clusterIPs, detail)]
  })
}

function familyErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec
  const path = 'spec.clusterIPs'
  const isDual = clusterIPs.length < 2 || new Set(clusterIPs.map(familyOf)).size === 2
  return [
    ...(isDual
      ? []
      : [invalidField(path, clusterIPs, 'may specify no more than one IP for each IP family')]),
    ...(isHeadless(spec) ? [] : clusterIPs).flatMap((one, index) => {
      const wanted = ipFamilies[index]
      const isOther = wanted !== undefined && families.includes(wanted) && wanted !== familyOf(one)
      const detail = `expected an ${wanted ?? ''} value as indicated by \`ipFamilies[${index}]\``
      return isOther ? [invalidField(`${path}[${index}]`, one, detail)] : []
    }),
  ]
}

const fixedText = 'may not change once set'

/**
 * Errors for changed addresses: the first is immutable, and the second is released only by a change
 * to a single stack.
 */
export function clusterIPChangeErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternal(next) || isExternal(old) || (isHeadless(next) && isHeadless(old))) return []
  const { clusterIPs: after = [] } = next
  const before = old.clusterIPs ?? []
  const at = (index: number) => `spec.clusterIPs[${index}]`
  if (after.length === before.length) {
    return before.flatMap((one, index) =>
      one === after[index] ? [] : [invalidField(at(index), after, fixedText)],
    )
  }
  const unset = invalidField(at(0), after, 'primary clusterIP can not be unset')
  return [
    ...(after.length === 0 ? [unset] : []),
    ...(isMoved(after, before) ? [invalidField(at(0), after, fixedText)] : []),
    ...(isReleased(after, before) ? releaseErrors(next, 'clusterIP') : []),
  ]
}

function isMoved([first]: readonly string[], [old]: readonly string[]): boolean {
  return first !== undefined && old !== undefined && first !== old
}

function isReleased(after: readonly string[], before: readonly string[]): boolean {
  return before.length > 1 && after.length === 1
}

/** Errors for changed families, under the same rule. */
export function familyChangeErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternal(next) || isExternal(old) || isHeadless(next) || isHeadless(old)) return []
  const { ipFamilies: after = [], clusterIPs = [] } = next
  const before = old.ipFamilies ?? []
  const path = 'spec.ipFamilies[0]'
  if (after.length === before.length) {
    return before
      .filter((one, index) => one !== after[index])
      .map(() => invalidField(path, after, fixedText))
  }
  return [
    ...(isMoved(after, before) ? [invalidField(path, clusterIPs, fixedText)] : []),
    ...(isReleased(after, before) ? releaseErrors(next, 'ipFamily') : []),
  ]
}

function releaseErrors({ ipFamilyPolicy }: ServiceSpec, what: string): FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return []
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`
  return [invalidField('spec.ipFamilyPolicy', ipFamilyPolicy ?? null, detail)]
}
