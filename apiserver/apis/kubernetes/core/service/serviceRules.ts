import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { address, addressRange, endpointAddress } from '../../../addressChecks.ts'
import { givenName, named, oneOf, optionalChoice, portNumber } from '../../../fieldChecks.ts'
import { labelsErrors } from '../../../../registry/write/metadataValidation.ts'
import type { ServiceSpec } from '../../shapes/coreV1.ts'
import { clusterIPErrors } from './clusterIPRules.ts'
import { needsHealthPort } from './serviceNodePorts.ts'
import { portSetErrors, servicePortErrors } from './servicePortRules.ts'
import { hasAddress, isExternal, isHeadless, reachesOutside, specOf } from './serviceSpec.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const affinities = ['ClientIP', 'None']

/**
 * Errors for a changed load balancer class, which is immutable while the service is a load
 * balancer.
 */
export function balancerClassErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  const isBalanced = next.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  const isKept = !isBalanced || next.loadBalancerClass === old.loadBalancerClass
  const given = next.loadBalancerClass ?? null
  return [
    ...(isKept ? [] : [invalidField('spec.loadBalancerClass', given, 'may not change once set')]),
    ...classErrors(next),
  ]
}

function classErrors({ type, loadBalancerClass: name }: ServiceSpec): FieldError[] {
  return name !== undefined && type !== 'LoadBalancer'
    ? [forbiddenField('spec.loadBalancerClass', balancerOnly)]
    : givenName('spec.loadBalancerClass', name, labelKeyErrors)
}

/** Errors for a service. Source: Kubernetes API reference, Service v1; observed answers. */
export function serviceErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  const spec = specOf(object)
  const before = old && specOf(old)
  const { ports = [], externalIPs = [], externalTrafficPolicy: policy } = spec
  return [
    ...topologyErrors(object),
    ...(ports.length === 0 && !isExternal(spec) && !isHeadless(spec)
      ? [requiredField('spec.ports')]
      : []),
    ...typeErrors(spec),
    ...servicePortErrors(ports),
    ...labelsErrors('spec.selector', spec.selector ?? {}),
    ...affinityErrors(spec),
    ...clusterIPErrors(spec, before),
    ...externalIPs.flatMap((address, index) =>
      externalErrors(`spec.externalIPs[${index}]`, address, before?.externalIPs ?? []),
    ),
    ...oneOf('spec.type', spec.type, types),
    ...portSetErrors(ports, spec.type),
    ...sourceRangeErrors(object, old),
    ...balancerErrors(spec),
    ...(reachesOutside(spec)
      ? oneOf('spec.externalTrafficPolicy', policy, policies)
      : unexpected('spec.externalTrafficPolicy', policy, outsideText)),
    ...healthPortErrors(spec),
    ...(spec.internalTrafficPolicy === undefined && !hasAddress(spec)
      ? []
      : oneOf('spec.internalTrafficPolicy', spec.internalTrafficPolicy, policies)),
    ...optionalChoice('spec.trafficDistribution', spec.trafficDistribution, distributions),
  ]
}

function unexpected(path: string, value: unknown, detail: string): FieldError[] {
  return value === undefined || value === '' ? [] : [invalidField(path, value, detail)]
}

const balancerOnly = "may only be used when `type` is 'LoadBalancer'"
const outsideText = 'may only be set for externally-accessible services'
const healthText =
  "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
const policies = ['Cluster', 'Local']
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']

function typeErrors(spec: ServiceSpec): FieldError[] {
  const { type = '' } = spec
  if (type === 'ExternalName') return externalNameErrors(spec)
  const isOutside = type === 'LoadBalancer' || type === 'NodePort'
  const alone = `may not be set to 'None' for ${type} services`
  return isOutside && isHeadless(spec) ? [invalidField('spec.clusterIPs[0]', 'None', alone)] : []
}

function externalNameErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec
  const notFor = 'may not be set for ExternalName services'
  return [
    ...(clusterIPs.length > 0 ? [forbiddenField('spec.clusterIPs', notFor)] : []),
    ...(ipFamilies.length > 0 ? [forbiddenField('spec.ipFamilies', notFor)] : []),
    ...(ipFamilyPolicy === undefined ? [] : [forbiddenField('spec.ipFamilyPolicy', notFor)]),
    ...named('spec.externalName', externalName.replace(/\.$/, ''), subdomainErrors),
  ]
}

function affinityErrors({
  sessionAffinity,
  sessionAffinityConfig: config,
}: ServiceSpec): FieldError[] {
  const path = 'spec.sessionAffinityConfig'
  const errors = oneOf('spec.sessionAffinity', sessionAffinity, affinities)
  if (sessionAffinity === 'None' && config !== undefined) {
    return [...errors, forbiddenField(path, 'must not be set when session affinity is None')]
  }
  if (sessionAffinity !== 'ClientIP') return errors
  const seconds = config?.clientIP?.timeoutSeconds ?? 0
  const detail = 'must be greater than 0 and less than 86400'
  return seconds > 0 && seconds <= 86_400
    ? errors
    : [...errors, invalidField(`${path}.clientIP.timeoutSeconds`, seconds, detail)]
}

function externalErrors(path: string, one: string, kept: readonly string[]): FieldError[] {
  const errors = address(path, one, kept)
  return errors.length > 0 ? errors : endpointAddress(path, one)
}

const topologyMode = 'service.kubernetes.io/topology-mode'
const topologyHints = 'service.kubernetes.io/topology-aware-hints'

/** Errors for two annotations with the same meaning that differ. */
function topologyErrors({ metadata: { annotations = {} } }: ApiObject): FieldError[] {
  const [mode, hints] = [annotations[topologyMode], annotations[topologyHints]]
  if (mode === undefined || hints === undefined || mode === hints) return []
  const detail = `must match annotations[${topologyHints}] when both are specified`
  return [invalidField(`metadata.annotations[${topologyMode}]`, mode, detail)]
}

/** Load balancer annotation for the same ranges. */
const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'

function sourceRangeErrors(next: ApiObject, old: ApiObject | undefined): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [] } = specOf(next)
  const path = 'spec.LoadBalancerSourceRanges'
  const kept = (old ? (specOf(old).loadBalancerSourceRanges ?? []) : []).map((one) => one.trim())
  if (ranges.length === 0) return annotatedRangeErrors(next, old)
  return [
    ...(type === 'LoadBalancer' ? [] : [forbiddenField(path, balancerOnly)]),
    ...ranges.flatMap((range, index) => addressRange(`${path}[${index}]`, range.trim(), kept)),
  ]
}

function annotatedRangeErrors(next: ApiObject, old: ApiObject | undefined): FieldError[] {
  const textOf = ({ metadata }: ApiObject) => metadata.annotations?.[rangesAnnotation]
  const text = textOf(next)
  if (text === undefined) return []
  const path = `metadata.annotations[${rangesAnnotation}]`
  const isKept = old !== undefined && textOf(old) === text
  const listed = isKept || text.trim() === '' ? [] : text.split(',')
  return [
    ...(specOf(next).type === 'LoadBalancer' ? [] : [forbiddenField(path, balancerOnly)]),
    ...listed.flatMap((range) => addressRange(path, range.trim())),
  ]
}

function balancerErrors(spec: ServiceSpec): FieldError[] {
  const isBalanced = spec.type === 'LoadBalancer'
  const allocates = 'spec.allocateLoadBalancerNodePorts'
  const isSet = spec.allocateLoadBalancerNodePorts !== undefined
  return [
    ...(isBalanced && !isSet ? [requiredField(allocates)] : []),
    ...(isSet && !isBalanced ? [forbiddenField(allocates, balancerOnly)] : []),
    ...classErrors(spec),
  ]
}

function healthPortErrors(spec: ServiceSpec): FieldError[] {
  const path = 'spec.healthCheckNodePort'
  const { type, externalTrafficPolicy, healthCheckNodePort: port = 0 } = spec
  const isAsked = type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
  if (!isAsked) return port === 0 ? [] : [invalidField(path, port, healthText)]
  return port === 0 ? [] : portNumber(path, port)
}

/** Errors for a changed health check port, which is immutable. */
export function healthPortChangeErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsHealthPort(next) || !needsHealthPort(old)) return []
  if (next.healthCheckNodePort === old.healthCheckNodePort) return []
  return [forbiddenField('spec.healthCheckNodePort', 'field is immutable')]
}
