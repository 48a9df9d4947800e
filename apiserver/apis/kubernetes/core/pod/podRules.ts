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
} from '../../../../meta/names/nameValidation.ts'
import { between, errorIf, givenName, named, oneOf, optionalName } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { labelsErrors } from '../../../../registry/write/metadataValidation.ts'
import type { PodSpec } from '../../shapes/coreV1.ts'
import { containerListErrors } from '../container/containerListRules.ts'
import { fileVolumeErrors } from '../container/envRules.ts'
import { affinityErrors, spreadErrors } from './schedulingRules.ts'
import { addressErrors, dnsErrors } from './rules/dnsRules.ts'
import {
  hostNameErrors,
  hostPortErrors,
  hostUserErrors,
  sharedProcessErrors,
} from './rules/hostRules.ts'
import { hostProcessErrors } from './rules/hostProcessRules.ts'
import { mirrorAnnotation } from './rules/podAnnotations.ts'
import { wholePodErrors } from './rules/podResourceRules.ts'
import type { PodMeta } from './podTypes.ts'
import { systemErrors } from './rules/systemRules.ts'
import { knownClaims, resourcesErrors } from '../container/resourceRules.ts'
import { podSecurityErrors } from '../container/securityRules.ts'
import { tolerationErrors } from '../node/taintRules.ts'
import { volumeErrors } from '../volume/volumeRules.ts'

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/**
 * Errors for a pod's spec, in the order of the real server. `path` leads to the spec; `meta` is the
 * pod's metadata, undefined for a template. Source: Kubernetes API reference, PodSpec v1; seen on
 * kube-apiserver 1.37.2.
 */
export function podSpecErrors(path: string, spec: PodSpec, meta?: PodMeta): FieldError[] {
  const { errors, valid } = volumeErrors(`${path}.volumes`, spec.volumes ?? [], meta?.name)
  const claims = knownClaims(spec.resourceClaims ?? [])
  return [
    ...errors,
    ...claimErrors(`${path}.resourceClaims`, spec.resourceClaims ?? [], meta),
    ...containerListErrors(path, spec, {
      volumes: new Map(valid.map((one) => [one.name ?? '', one])),
      claims,
      graceSeconds: spec.terminationGracePeriodSeconds ?? 30,
      podRestartPolicy: spec.restartPolicy ?? '',
      hostUsers: spec.hostUsers,
    }),
    ...wholePodErrors(path, spec, claims),
    ...hostPortErrors(path, spec, meta !== undefined),
    ...oneOf(`${path}.restartPolicy`, spec.restartPolicy, restartPolicies),
    ...oneOf(`${path}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
    ...labelsErrors(`${path}.nodeSelector`, spec.nodeSelector ?? {}),
    ...podSecurityErrors(`${path}.securityContext`, spec),
    ...sharedProcessErrors(path, spec),
    ...placeErrors(path, spec),
    ...hostProcessErrors(path, spec),
    ...hostUserErrors(path, spec),
    ...hostNameErrors(path, spec),
    ...nameErrors(path, spec),
    ...tolerationErrors(`${path}.tolerations`, spec.tolerations ?? []),
    ...aliasErrors(`${path}.hostAliases`, spec.hostAliases ?? []),
    ...classErrors(path, spec),
    ...systemErrors(path, spec),
    ...fileVolumeErrors(path, spec),
  ]
}

/** Errors for scheduling constraints and readiness gates. */
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
    ...(preemptionPolicy === undefined ? [] : preemptionErrors(path, preemptionPolicy)),
    ...(overhead === undefined
      ? []
      : resourcesErrors(`${path}.overhead`, { limits: overhead }, knownClaims([]))),
  ]
}

function preemptionErrors(path: string, policy: string): FieldError[] {
  const at = `${path}.preemptionPolicy`
  if (policy === '') return [requiredField(at)]
  return oneOf(at, policy, ['PreemptLowerPriority', 'Never'])
}

type PodClaim = NonNullable<PodSpec['resourceClaims']>[number]

const mirrorText = 'static pods do not support resource claims'

function claimErrors(
  path: string,
  claims: readonly PodClaim[],
  meta: PodMeta | undefined,
): FieldError[] {
  if (meta?.annotations?.[mirrorAnnotation] !== undefined) {
    return claims.map(() => forbiddenField('[]', mirrorText))
  }
  const isRepeat = repeats(claims.map(({ name = '' }) => name))
  return claims.flatMap((claim, index) => {
    const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim
    const at = `${path}[${index}]`
    return [
      ...(name !== '' && isRepeat[index] === true
        ? [duplicateField(`${at}.name`, name)]
        : named(`${at}.name`, name, labelErrors)),
      ...claimSourceErrors(at, claim),
      ...givenName(`${at}.resourceClaimName`, own, subdomainErrors),
      ...givenName(`${at}.resourceClaimTemplateName`, template, subdomainErrors),
    ]
  })
}

function claimSourceErrors(path: string, claim: PodClaim): FieldError[] {
  const { name = '', resourceClaimName: own, resourceClaimTemplateName: template } = claim
  const sources = [own, template].filter((source) => source !== undefined)
  if (sources.length === 1) return []
  const detail =
    sources.length === 0
      ? 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
      : 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
  const shown = {
    Name: name,
    ResourceClaimName: own ?? null,
    ResourceClaimTemplateName: template ?? null,
  }
  return [invalidField(path, shown, detail)]
}

function gateErrors(path: string, { schedulingGates = [] }: PodSpec): FieldError[] {
  const isRepeat = repeats(schedulingGates.map(({ name = '' }) => name))
  return schedulingGates.flatMap(({ name = '' }, index) => [
    ...labelKeyErrors(name).map((text) => invalidField(`${path}[${index}]`, name, text)),
    ...errorIf(isRepeat[index] === true, () => duplicateField(`${path}[${index}]`, name)),
  ])
}

function aliasErrors(path: string, aliases: NonNullable<PodSpec['hostAliases']>): FieldError[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }, index) => [
    ...addressErrors(`${path}[${index}].ip`, ip),
    ...hostnames.flatMap((name, at) =>
      subdomainErrors(name).map((text) =>
        invalidField(`${path}[${index}].hostnames[${at}]`, name, text),
      ),
    ),
  ])
}
