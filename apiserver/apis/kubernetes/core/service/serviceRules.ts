import { isIP } from 'node:net'
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { endpointAddressErrors } from '../../discovery/endpointAddress.ts'
import { givenName, named, oneOf, optionalChoice, portNumber } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/repeats.ts'
import { labelsErrors } from '../../../../registry/metadataValidation.ts'
import { isAddressRange } from './addressRange.ts'
import { servicePortsErrors } from './servicePortRules.ts'
import { hasAddress, reachesOutside, specOf, type ServiceSpec } from './serviceSpec.ts'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const affinities = ['ClientIP', 'None']

/** The address of a service stays what it is. */
export function addressErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (next.type === 'ExternalName' || old.type === 'ExternalName') return []
  if (old.clusterIP === undefined || next.clusterIP === old.clusterIP) return []
  const given = next.clusterIPs ?? [next.clusterIP ?? '']
  return [invalidField('spec.clusterIPs[0]', given, 'may not change once set')]
}

/** The class of a load balancer stays what it is while the service is one. */
export function balancerClassErrors(next: ServiceSpec, old: ServiceSpec): FieldError[] {
  const isBalanced = next.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  if (!isBalanced || next.loadBalancerClass === old.loadBalancerClass) return []
  const given = next.loadBalancerClass ?? null
  return [invalidField('spec.loadBalancerClass', given, 'may not change once set')]
}

/** The rules of a service. Source: Kubernetes API reference, Service v1; observed answers. */
export function serviceErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { ports = [], externalIPs = [], externalTrafficPolicy: policy } = spec
  const isExternal = spec.type === 'ExternalName'
  return [
    ...(ports.length === 0 && !isExternal && !isHeadless(spec)
      ? [requiredField('spec.ports')]
      : []),
    ...typeErrors(spec),
    ...servicePortsErrors(ports, spec.type),
    ...labelsErrors('spec.selector', spec.selector ?? {}),
    ...affinityErrors(spec),
    ...(isExternal ? [] : familyErrors(spec)),
    ...externalIPs.flatMap((address, index) =>
      externalErrors(`spec.externalIPs[${index}]`, address),
    ),
    ...oneOf('spec.type', spec.type, types),
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

function isHeadless({ clusterIP }: ServiceSpec): boolean {
  return clusterIP === 'None'
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
const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const rangeText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

function typeErrors(spec: ServiceSpec): FieldError[] {
  const { type = '', ports = [] } = spec
  if (type === 'ExternalName') return externalNameErrors(spec)
  const isOutside = type === 'LoadBalancer' || type === 'NodePort'
  const exposed = 'may not expose port 10250 externally since it is used by kubelet'
  const alone = `may not be set to 'None' for ${type} services`
  return [
    ...(type === 'LoadBalancer' ? ports : []).flatMap(({ port }, index) =>
      port === 10250 ? [invalidField(`spec.ports[${index}]`, port, exposed)] : [],
    ),
    ...(isOutside && isHeadless(spec) ? [invalidField('spec.clusterIPs[0]', 'None', alone)] : []),
  ]
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

function familyErrors({
  clusterIP = '',
  clusterIPs = [],
  ipFamilies = [],
  ipFamilyPolicy,
}: ServiceSpec) {
  const isAlone = clusterIP === 'None'
  const wrong = isAlone
    ? []
    : clusterIPs.flatMap((address, index) => {
        const at = `spec.clusterIPs[${index}]`
        if (isIP(address) === 0) return [invalidField(at, address, addressText)]
        const family = `IPv${isIP(address)}`
        const wanted = ipFamilies[index]
        const detail = `expected an ${wanted ?? ''} value as indicated by \`ipFamilies[${index}]\``
        const isOther = wanted !== undefined && families.includes(wanted) && wanted !== family
        return isOther ? [invalidField(at, address, detail)] : []
      })
  const isRepeat = repeats(ipFamilies)
  const isFirst = clusterIPs.length === 0 || clusterIPs[0] === clusterIP
  return [
    ...ipFamilies.flatMap((family, index) =>
      isRepeat[index] === true
        ? [duplicateField(`spec.ipFamilies[${index}]`, family)]
        : oneOf(`spec.ipFamilies[${index}]`, family, families),
    ),
    ...optionalChoice('spec.ipFamilyPolicy', ipFamilyPolicy, familyPolicies),
    ...(isFirst
      ? []
      : [
          invalidField(
            'spec.clusterIPs',
            clusterIPs,
            clusterIP === '' ? needlessText : 'first value must match `clusterIP`',
          ),
        ]),
    ...(clusterIPs.length > 2
      ? [invalidField('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values')]
      : []),
    ...wrong,
  ]
}

const needlessText = 'must be empty when `clusterIP` is not specified'
const families = ['IPv4', 'IPv6']
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

function externalErrors(path: string, address: string): FieldError[] {
  return isIP(address) === 0
    ? [invalidField(path, address, addressText)]
    : endpointAddressErrors(path, address)
}

function balancerErrors(spec: ServiceSpec): FieldError[] {
  const { type, loadBalancerSourceRanges: ranges = [], loadBalancerClass: name } = spec
  const isBalanced = type === 'LoadBalancer'
  const at = 'spec.LoadBalancerSourceRanges'
  const allocates = 'spec.allocateLoadBalancerNodePorts'
  const isSet = spec.allocateLoadBalancerNodePorts !== undefined
  return [
    ...(ranges.length > 0 && !isBalanced ? [forbiddenField(at, balancerOnly)] : []),
    ...ranges.flatMap((range, index) =>
      isAddressRange(range.trim()) ? [] : [invalidField(`${at}[${index}]`, range, rangeText)],
    ),
    ...(isBalanced && !isSet ? [requiredField(allocates)] : []),
    ...(isSet && !isBalanced ? [forbiddenField(allocates, balancerOnly)] : []),
    ...(name !== undefined && !isBalanced
      ? [forbiddenField('spec.loadBalancerClass', balancerOnly)]
      : givenName('spec.loadBalancerClass', name, labelKeyErrors)),
  ]
}

function healthPortErrors(spec: ServiceSpec): FieldError[] {
  const path = 'spec.healthCheckNodePort'
  const { type, externalTrafficPolicy, healthCheckNodePort: port = 0 } = spec
  const isAsked = type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
  if (!isAsked) return port === 0 ? [] : [invalidField(path, port, healthText)]
  return port === 0 ? [] : portNumber(path, port)
}
