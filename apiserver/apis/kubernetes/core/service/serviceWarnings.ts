import type { ApiObject } from '../../../../meta/types.ts'
import { addressWarnings, rangeWarnings } from '../../../addressChecks.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { hasAddress, isExternal, isHeadless, specOf } from './serviceSpec.ts'

const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints'

/** Warnings about a service. Source: seen on kube-apiserver 1.37.2. */
export function serviceWarnings(object: ApiObject): string[] {
  const spec = specOf(object)
  const hasAddresses = hasAddress(spec) && !isHeadless(spec)
  return [
    ...(object.metadata.annotations?.[hintsAnnotation] === undefined
      ? []
      : [
          `annotation ${hintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`,
        ]),
    ...(hasAddresses ? listWarnings('clusterIPs', spec.clusterIPs) : []),
    ...(isHeadless(spec) ? headlessWarnings(spec) : []),
    ...externalIPWarnings(spec),
    ...addressWarnings('spec.loadBalancerIP', spec.loadBalancerIP ?? ''),
    ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, index) =>
      rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...externalNameWarnings(spec),
    ...(spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ]
}

function externalIPWarnings(spec: ServiceSpec): string[] {
  const { externalIPs = [] } = spec
  const isUsed = externalIPs.length > 0 && !isHeadless(spec) && !isExternal(spec)
  const text = 'spec.externalIPs is deprecated and may no longer be implemented in some clusters'
  return [...listWarnings('externalIPs', externalIPs), ...(isUsed ? [text] : [])]
}

function externalNameWarnings(spec: ServiceSpec): string[] {
  const { externalIPs = [], externalName = '' } = spec
  if (!isExternal(spec)) {
    const text = 'spec.externalName is ignored when spec.type is not "ExternalName"'
    return externalName === '' ? [] : [text]
  }
  const text = 'spec.externalIPs is ignored when spec.type is "ExternalName"'
  return externalIPs.length > 0 ? [text] : []
}

function listWarnings(field: string, addresses: readonly string[] = []): string[] {
  return addresses.flatMap((one, index) => addressWarnings(`spec.${field}[${index}]`, one))
}

function headlessWarnings({ loadBalancerIP = '', externalIPs = [], sessionAffinity }: ServiceSpec) {
  return [
    ...(loadBalancerIP === '' ? [] : ['spec.loadBalancerIP is ignored for headless services']),
    ...(externalIPs.length === 0 ? [] : ['spec.externalIPs is ignored for headless services']),
    ...(sessionAffinity === 'None'
      ? []
      : ['spec.SessionAffinity is ignored for headless services']),
  ]
}
