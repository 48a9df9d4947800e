import { isIP } from 'node:net'
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelKeyErrors,
  subdomainErrors,
  underscoredErrors,
} from '../../../../meta/names/nameValidation.ts'
import { between, givenName, named, oneOf, optionalName } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/repeats.ts'
import { labelsErrors } from '../../../../registry/metadataValidation.ts'
import { containerListErrors } from '../container/containerListRules.ts'
import { affinityErrors, spreadErrors } from './schedulingRules.ts'
import type { PodSpec } from './podTypes.ts'
import { podResourcesErrors, resourcesErrors } from '../container/resourceRules.ts'
import { podSecurityErrors, systemErrors } from '../container/securityRules.ts'
import { tolerationErrors } from '../node/taintRules.ts'
import { volumeErrors } from '../volume/volumeRules.ts'
import { knownClaims } from '../container/resourceRules.ts'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const addressText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

/** The rules of a pod's spec. `path` leads to it. Source: Kubernetes API reference, PodSpec v1; observed answers. */
export function podSpecErrors(path: string, spec: PodSpec): FieldError[] {
  const { errors: inVolumes, valid: volumes } = volumeErrors(`${path}.volumes`, spec.volumes ?? [])
  return [
    ...inVolumes,
    ...claimErrors(`${path}.resourceClaims`, spec.resourceClaims ?? []),
    ...containerListErrors(path, spec, {
      volumes: new Map(volumes.map((one) => [one.name ?? '', one])),
      claims: knownClaims(spec.resourceClaims ?? []),
      graceSeconds: spec.terminationGracePeriodSeconds ?? 30,
      hostUsers: spec.hostUsers,
    }),
    ...(spec.resources ? podResourcesErrors(`${path}.resources`, spec.resources) : []),
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...labelsErrors(`${path}.nodeSelector`, spec.nodeSelector ?? {}),
    ...podSecurityErrors(`${path}.securityContext`, spec.securityContext ?? {}),
    ...placeErrors(path, spec),
    ...nameErrors(path, spec),
    ...tolerationErrors(`${path}.tolerations`, spec.tolerations ?? []),
    ...aliasErrors(`${path}.hostAliases`, spec.hostAliases ?? []),
    ...classErrors(path, spec),
  ]
}

/** Where it may run, and when it is ready to. */
function placeErrors(path: string, spec: PodSpec): FieldError[] {
  return [
    ...affinityErrors(`${path}.affinity`, spec.affinity ?? {}),
    ...dnsErrors(`${path}.dnsConfig`, spec),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType = '' }, index) => {
      const at = `${path}.readinessGates[${index}].conditionType`
      return labelKeyErrors(conditionType).map((text) => invalidField(at, conditionType, text))
    }),
    ...gateErrors(`${path}.schedulingGates`, spec),
    ...spreadErrors(`${path}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []),
  ]
}

function nameErrors(path: string, spec: PodSpec): FieldError[] {
  const { activeDeadlineSeconds } = spec
  return [
    ...optionalName(`${path}.serviceAccountName`, spec.serviceAccountName, subdomainErrors),
    ...optionalName(`${path}.nodeName`, spec.nodeName, subdomainErrors),
    ...between(`${path}.activeDeadlineSeconds`, activeDeadlineSeconds, [1, 2147483647]),
    ...optionalName(`${path}.hostname`, spec.hostname, labelErrors),
    ...optionalName(`${path}.subdomain`, spec.subdomain, labelErrors),
  ]
}

function classErrors(path: string, spec: PodSpec): FieldError[] {
  const { overhead, preemptionPolicy, runtimeClassName } = spec
  return [
    ...optionalName(`${path}.priorityClassName`, spec.priorityClassName, subdomainErrors),
    ...givenName(`${path}.runtimeClassName`, runtimeClassName, subdomainErrors),
    ...givenName(`${path}.hostnameOverride`, spec.hostnameOverride, subdomainErrors),
    ...(preemptionPolicy === undefined ? [] : preemptionErrors(path, preemptionPolicy)),
    ...(overhead === undefined
      ? []
      : resourcesErrors(`${path}.overhead`, { limits: overhead }, knownClaims([]))),
    ...systemErrors(`${path}.os`, spec.os),
  ]
}

function preemptionErrors(path: string, policy: string): FieldError[] {
  const at = `${path}.preemptionPolicy`
  if (policy === '') return [requiredField(at)]
  return oneOf(at, policy, ['PreemptLowerPriority', 'Never'])
}

function claimErrors(path: string, claims: NonNullable<PodSpec['resourceClaims']>): FieldError[] {
  const isRepeat = repeats(claims.map(({ name = '' }) => name))
  return claims.flatMap((claim, index) => {
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim
    const at = `${path}[${index}]`
    const shown = {
      Name: name,
      ResourceClaimName: own ?? null,
      ResourceClaimTemplateName: template ?? null,
    }
    const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
    return [
      ...named(`${at}.name`, name, labelErrors),
      ...(isRepeat[index] === true ? [duplicateField(`${at}.name`, name)] : []),
      ...(own === undefined && template === undefined ? [invalidField(at, shown, detail)] : []),
      ...(own !== undefined && template !== undefined
        ? [
            invalidField(
              at,
              shown,
              'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
            ),
          ]
        : []),
      ...givenName(`${at}.resourceClaimName`, own, subdomainErrors),
      ...givenName(`${at}.resourceClaimTemplateName`, template, subdomainErrors),
    ]
  })
}

function dnsErrors(path: string, { dnsPolicy, dnsConfig }: PodSpec): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {}
  const missing =
    dnsConfig === undefined
      ? [requiredField(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
      : nameservers.length === 0
        ? [
            requiredField(
              `${path}.nameservers`,
              'must provide at least one DNS nameserver when `dnsPolicy` is None',
            ),
          ]
        : []
  return [
    ...(dnsPolicy === 'None' ? missing : []),
    ...tooMany(`${path}.nameservers`, nameservers, 3),
    ...nameservers.flatMap((address, index) =>
      isIP(address) === 0
        ? [invalidField(`${path}.nameservers[${index}]`, address, addressText)]
        : [],
    ),
    ...searches.flatMap((domain, index) => searchErrors(`${path}.searches[${index}]`, domain)),
    ...options.flatMap(({ name = '' }, index) =>
      name === '' ? [requiredField(`${path}.options[${index}]`, 'must not be empty')] : [],
    ),
  ]
}

function tooMany(path: string, list: readonly unknown[], most: number): FieldError[] {
  if (list.length <= most) return []
  return [invalidField(path, list, `must not have more than ${most} nameservers`)]
}

/** A domain may end with a dot, be one, and have underscores. */
function searchErrors(path: string, domain: string): FieldError[] {
  if (domain === '.') return []
  const plain = domain.endsWith('.') ? domain.slice(0, -1) : domain
  return underscoredErrors(plain).map((text) => invalidField(path, plain, text))
}

function gateErrors(path: string, { schedulingGates = [], nodeName = '' }: PodSpec): FieldError[] {
  const isRepeat = repeats(schedulingGates.map(({ name = '' }) => name))
  return [
    ...schedulingGates.flatMap(({ name = '' }, index) => [
      ...labelKeyErrors(name).map((text) => invalidField(`${path}[${index}]`, name, text)),
      ...(isRepeat[index] === true ? [duplicateField(`${path}[${index}]`, name)] : []),
    ]),
    ...(schedulingGates.length > 0 && nodeName !== ''
      ? [
          forbiddenField(
            path.replace(/schedulingGates$/, 'nodeName'),
            'cannot be set until all schedulingGates have been cleared',
          ),
        ]
      : []),
  ]
}

function aliasErrors(path: string, aliases: NonNullable<PodSpec['hostAliases']>): FieldError[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }, index) => [
    ...(isIP(ip) === 0 ? [invalidField(`${path}[${index}].ip`, ip, addressText)] : []),
    ...hostnames.flatMap((name, at) =>
      subdomainErrors(name).map((text) =>
        invalidField(`${path}[${index}].hostnames[${at}]`, name, text),
      ),
    ),
  ])
}
