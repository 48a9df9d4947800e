import { invalidField, notSupportedField, type FieldError } from '../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { claimSpecErrors } from '../core/volume/claimRules.ts'
import { notNegative, unchanged } from '../../fieldChecks.ts'
import { isEmptySelector } from '../labelSelection.ts'
import type { StatefulSetSpec, StatefulSetUpdateStrategy } from '../shapes/appsV1.ts'
import type { PersistentVolumeClaim, PodTemplateSpec } from '../shapes/coreV1.ts'
import { intOrPercentErrors, intOrPercentValue, percentLimitErrors } from './intOrPercentRules.ts'
import { lastingErrors, podTemplateErrors, templateMetadataErrors } from './templateRules.ts'
import { asWorkload, podSpecIn, statusOf } from './workload.ts'
import {
  collisionErrors,
  countErrors,
  givenSelectorErrors,
  isReadable,
  mismatchErrors,
  partErrors,
} from './workloadRules.ts'

export function statefulSetSpec(object: ApiObject): StatefulSetSpec {
  return asWorkload(object).spec
}

/**
 * Errors for a stateful set. Source: Kubernetes API reference, StatefulSetSpec v1; observed
 * answers.
 */
export function statefulSetErrors(object: ApiObject): FieldError[] {
  const spec = statefulSetSpec(object)
  const { serviceName = '', volumeClaimTemplates: claims = [] } = spec
  const problems = serviceName === '' ? [] : labelErrors(serviceName)
  return specErrors(spec, {
    claims: claims.flatMap((claim, index) =>
      claimSpecErrors(`spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {}),
    ),
    serviceName: problems.map((text) => invalidField('spec.serviceName', serviceName, text)),
  })
}

/** Errors for immutable fields; stored objects are exempt. */
interface FixedErrors {
  claims: readonly FieldError[]
  serviceName: readonly FieldError[]
  /** True if the template is not validated, because the stored set was already invalid. Default false. */
  keepsTemplate?: boolean
}

function specErrors(spec: StatefulSetSpec, fixed: FixedErrors): FieldError[] {
  return [
    ...managementErrors(spec.podManagementPolicy ?? ''),
    ...strategyErrors(spec.updateStrategy ?? {}),
    ...retentionErrors(spec),
    ...fixed.claims,
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.ordinals.start', spec.ordinals?.start),
    ...fixed.serviceName,
    ...givenSelectorErrors(spec, 'statefulset'),
    ...(isReadable(spec)
      ? templateErrors(spec, fixed.keepsTemplate === true)
      : [invalidField('spec.selector', spec.selector)]),
    ...lastingErrors('spec.template', spec.template, 'StatefulSet'),
  ]
}

function managementErrors(policy: string): FieldError[] {
  if (['OrderedReady', 'Parallel'].includes(policy)) return []
  const detail = "must be 'OrderedReady' or 'Parallel'"
  return [invalidField('spec.podManagementPolicy', policy, detail)]
}

function strategyErrors({ type = '', rollingUpdate }: StatefulSetUpdateStrategy): FieldError[] {
  const path = 'spec.updateStrategy'
  const { partition = 0, maxUnavailable } = rollingUpdate ?? {}
  // The real server shows its internal types here, whose fields have no JSON names.
  const shown = rollingUpdate
    ? { Partition: partition, MaxUnavailable: maxUnavailable ?? null }
    : null
  const at = `${path}.rollingUpdate`
  switch (type) {
    case 'OnDelete': {
      const detail = "only allowed for updateStrategy 'RollingUpdate'"
      return rollingUpdate === undefined ? [] : [invalidField(at, shown, detail)]
    }
    case 'RollingUpdate':
      return [
        ...notNegative(`${at}.partition`, partition),
        ...intOrPercentErrors(`${at}.maxUnavailable`, maxUnavailable),
        ...(maxUnavailable !== undefined && intOrPercentValue(maxUnavailable) === 0
          ? [invalidField(`${at}.maxUnavailable`, maxUnavailable, 'cannot be 0')]
          : []),
        ...percentLimitErrors(`${at}.maxUnavailable`, maxUnavailable),
      ]
    default: {
      const detail = "must be 'RollingUpdate' or 'OnDelete'"
      return [invalidField(path, { Type: type, RollingUpdate: shown }, detail)]
    }
  }
}

function retentionErrors({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec) {
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = policy?.[field] ?? ''
    const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`
    const known = ['Retain', 'Delete']
    return known.includes(value) ? [] : [notSupportedField(path, value, known)]
  })
}

/** Errors for the template; an empty selector is refused separately. */
function templateErrors(spec: StatefulSetSpec, isKept: boolean): FieldError[] {
  const { selector, template } = spec
  const path = 'spec.template'
  return [
    ...(selector && isEmptySelector(selector) ? [] : mismatchErrors(spec)),
    ...(isKept
      ? templateMetadataErrors(path, template)
      : podTemplateErrors(path, withClaims(template, spec.volumeClaimTemplates ?? []))),
  ]
}

/** Template in the form of the pods: with a volume for each claim, and names set by the StatefulSet. */
function withClaims(
  template: PodTemplateSpec | undefined,
  claims: readonly PersistentVolumeClaim[],
) {
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = podSpecIn(template)
  const names = new Set(claims.map(({ metadata: { name = '' } = {} }) => name))
  const made = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = (spec.volumes ?? []).filter(({ name = '' }) => !names.has(name))
  return { ...template, spec: { ...spec, volumes: [...made, ...others] } }
}

const fixedFields = [
  ...(['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const),
]

export function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [statefulSetSpec(next), statefulSetSpec(old)]
  // A set that was already invalid may keep an invalid template.
  const wasValid = specErrors(before, { claims: [], serviceName: [] }).length === 0
  return [
    ...specErrors(after, { claims: [], serviceName: [], keepsTemplate: !wasValid }),
    ...fixedFields.flatMap((field) => unchanged(`spec.${field}`, after[field], before[field])),
  ]
}

const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
const statusCounts = ['replicas', ...parts, 'observedGeneration', 'collisionCount']

export function statusErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const status = statusOf(next)
  return [
    ...countErrors(status, statusCounts),
    ...partErrors(status, parts, 'status.readyReplicas'),
    ...collisionErrors(status, statusOf(old)),
  ]
}
