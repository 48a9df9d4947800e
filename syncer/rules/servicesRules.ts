import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../apiserver/meta/json/isObject.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { joinChanges, mapChanges, type Changes } from '../engine/changes.ts'
import { threeWay } from '../engine/threeWay.ts'
import { hostSelector } from '../names/labels.ts'
import { hostServiceName } from '../names/naming.ts'
import type { KindRules, Pair, Translation } from './kindRules.ts'

type Spec = Record<string, unknown>

/** Fields that either side may change. Source: platform facts 6.10. */
const sharedFields = [
  'type',
  'externalIPs',
  'externalName',
  'loadBalancerIP',
  'ports',
  'publishNotReadyAddresses',
  'externalTrafficPolicy',
  'sessionAffinity',
  'sessionAffinityConfig',
  'loadBalancerSourceRanges',
  'healthCheckNodePort',
]
/** Fields that each plane sets itself. */
const ownFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'selector']

/** Rules of Services: the host decides their address and status. Source: platform facts 6.10. */
export const servicesRules: KindRules = {
  resource: { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true },
  // Annotations of cluster managers for their own endpoints.
  isExcluded: (annotation) => /^field\.[^/]+\/publicEndpoints$/.test(annotation),
  hostFields: (virtual, translation) => ({ spec: hostSpec(virtual, translation) }),
  fieldChanges: serviceChanges,
  virtualStatus: ({ virtual, host }) =>
    isDeepStrictEqual(virtual.status ?? {}, host.status ?? {}) ? undefined : (host.status ?? {}),
  recreated: recreatedService,
  place: hostServiceName,
}

export function specOf({ spec }: ApiObject): Spec {
  return isObject(spec) ? spec : {}
}

function hostSpec(virtual: ApiObject, translation: Translation): Spec {
  const spec = specOf(virtual)
  const kept = Object.entries(spec).filter(([key]) => !ownFields.includes(key))
  const selector = translatedSelector(virtual, translation)
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(spec.ports) ? { ports: spec.ports.map(withoutNodePort) } : {}),
    ...(spec.clusterIP === 'None' ? { clusterIP: 'None' } : {}),
    ...(selector === undefined ? {} : { selector }),
  }
}

function withoutNodePort(port: unknown): unknown {
  if (!isObject(port)) return port
  const { nodePort: _, ...rest } = port
  return rest
}

function translatedSelector(
  { spec, metadata }: ApiObject,
  { naming, marks }: Translation,
): Record<string, string> | undefined {
  const selector = isObject(spec) ? spec.selector : undefined
  if (!isObject(selector)) return undefined
  // Sound: the API only accepts strings as values of a selector.
  const texts = selector as Record<string, string>
  const of = { virtualCluster: naming.virtualCluster, namespace: metadata.namespace ?? '' }
  return hostSelector(texts, of, marks)
}

function serviceChanges(
  pair: Pair,
  translation: Translation,
): { toHost: Changes; toVirtual: Changes } {
  const { base, virtual, host } = pair
  const sides = { virtual: shared(virtual), host: shared(host) }
  const last = base && { virtual: shared(base.virtual), host: shared(base.host) }
  // Only the host chooses this port.
  const copied = new Set(sharedFields.filter((field) => field !== 'healthCheckNodePort'))
  const { toHost, toVirtual } = threeWay(sides, last, { copied, isSame: isDeepStrictEqual })
  return {
    toHost: joinChanges(mapChanges(['spec'], toHost), selectorChanges(pair, translation)),
    toVirtual: mapChanges(['spec'], toVirtual),
  }
}

/**
 * The Service to recreate with the host's address, since the address is immutable. A Service with finalizers is left
 * unchanged. Source: platform facts 6.10.
 */
function recreatedService({ virtual, host }: Pair): ApiObject | undefined {
  const [spec, { clusterIP }] = [specOf(virtual), specOf(host)]
  if (!isAddress(clusterIP) || spec.clusterIP === clusterIP) return undefined
  if (spec.type === 'ExternalName' || spec.clusterIP === 'None') return undefined
  if ((virtual.metadata.finalizers ?? []).length > 0) return undefined
  const { name = '', namespace = '', labels, annotations, ownerReferences } = virtual.metadata
  const { clusterIPs: _, ...kept } = spec
  const texts = { ...(labels && { labels }), ...(annotations && { annotations }) }
  return {
    apiVersion: 'v1',
    kind: virtual.kind,
    metadata: { name, namespace, ...texts, ...(ownerReferences && { ownerReferences }) },
    spec: { ...kept, clusterIP, clusterIPs: [clusterIP] },
  }
}

function isAddress(clusterIP: unknown): clusterIP is string {
  return typeof clusterIP === 'string' && clusterIP !== '' && clusterIP !== 'None'
}

function shared(service: ApiObject): Spec {
  const spec = specOf(service)
  return Object.fromEntries(
    sharedFields.flatMap((key) => (spec[key] === undefined ? [] : [[key, spec[key]]])),
  )
}

/** Changes of the selector; a map is merged, so removed keys are listed explicitly. */
function selectorChanges({ virtual, host, base }: Pair, translation: Translation): Changes {
  const wanted = translatedSelector(virtual, translation)
  const { selector } = specOf(host)
  const isUnchanged =
    base !== undefined &&
    isDeepStrictEqual(specOf(virtual).selector, specOf(base.virtual).selector) &&
    isDeepStrictEqual(selector, specOf(base.host).selector)
  if (isUnchanged) return { set: {}, remove: [] }
  if (wanted === undefined) return { set: {}, remove: [['spec', 'selector']] }
  const gone = Object.keys(isObject(selector) ? selector : {}).filter((key) => !(key in wanted))
  const nulls = Object.fromEntries(gone.map((key) => [key, null]))
  return mapChanges(['spec', 'selector'], { ...nulls, ...wanted })
}
