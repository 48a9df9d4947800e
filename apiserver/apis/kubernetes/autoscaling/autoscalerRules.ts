import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { parseQuantity } from '../../../meta/quantity.ts'
import { notNegative, oneOf } from '../../fieldChecks.ts'
import type {
  HPAScalingPolicy,
  HPAScalingRules,
  HorizontalPodAutoscalerSpec,
} from '../shapes/autoscalingV2.ts'
import { metricErrors } from './metricRules.ts'
import type { Metric } from './metricsColumn.ts'
import { referenceErrors, versionProblem, type VersionRule } from './referenceRules.ts'

/**
 * Errors for the stored form; `old` undefined: a new object. An object stored with an apiVersion
 * that is now refused may keep it, and may keep zero replicas.
 * Source: Kubernetes API reference, HorizontalPodAutoscalerSpec v2; observed answers.
 */
export function autoscalerErrors(
  spec: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): FieldError[] {
  const { scaleTargetRef = {}, metrics = [], behavior } = spec
  const versions = objectVersions(old)
  return [
    ...orderErrors(spec),
    ...referenceErrors('spec.scaleTargetRef', scaleTargetRef, targetVersions(spec, old)),
    ...metrics.flatMap((one, index) => metricErrors(`spec.metrics[${index}]`, one, versions)),
    ...(spec.minReplicas === 0 ? wakingErrors(metrics) : []),
    ...rulesErrors('spec.behavior.scaleUp', behavior?.scaleUp ?? {}),
    ...rulesErrors('spec.behavior.scaleDown', behavior?.scaleDown ?? {}),
    ...boundErrors(spec),
  ]
}

function orderErrors({ minReplicas, maxReplicas = 0 }: HorizontalPodAutoscalerSpec): FieldError[] {
  if (minReplicas === undefined || maxReplicas >= minReplicas) return []
  const detail = 'must be greater than or equal to `minReplicas`'
  return [invalidField('spec.maxReplicas', maxReplicas, detail)]
}

/** Errors for the bounds, which come after all others. */
function boundErrors({
  minReplicas = 0,
  maxReplicas = 0,
}: HorizontalPodAutoscalerSpec): FieldError[] {
  const [min, max] = ['spec.minReplicas', 'spec.maxReplicas']
  const least = (count: number) => `must be greater than or equal to ${count}`
  return [
    ...(minReplicas < 0 ? [invalidField(min, minReplicas, least(0))] : []),
    ...(maxReplicas === 0 ? [requiredField(max)] : []),
    ...(maxReplicas < 0 ? [invalidField(max, maxReplicas, least(1))] : []),
  ]
}

export function autoscalerStatusErrors(status: Readonly<Record<string, unknown>>): FieldError[] {
  // Guaranteed by the schema.
  const { conditions = [] } = status as { conditions?: { observedGeneration?: number }[] }
  return [
    ...conditions.flatMap(({ observedGeneration }, index) =>
      notNegative(`status.conditions[${index}].observedGeneration`, observedGeneration ?? 0),
    ),
    ...['currentReplicas', 'desiredReplicas'].flatMap((field) =>
      notNegative(`status.${field}`, Number(status[field] ?? 0)),
    ),
  ]
}

function targetVersions(
  { scaleTargetRef: next = {} }: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): VersionRule {
  const before = old?.scaleTargetRef
  const isKept = before?.apiVersion === next.apiVersion && before?.kind === next.kind
  if (old !== undefined && isKept) return 'any'
  return next.kind === 'ReplicationController' ? 'readable' : 'withGroup'
}

function objectVersions(old: HorizontalPodAutoscalerSpec | undefined): VersionRule {
  const isWrong = ({ object }: Metric) =>
    versionProblem(object?.describedObject?.apiVersion ?? '', 'readable') !== undefined
  return old?.metrics?.some(isWrong) === true ? 'any' : 'readable'
}

/** Errors for scaling to zero: without pods, no metric of pods can be measured. */
function wakingErrors(metrics: readonly Metric[]): FieldError[] {
  if (metrics.some(({ type }) => type === 'Object' || type === 'External')) return []
  const detail =
    'must specify at least one Object or External metric to support scaling to zero replicas'
  return [forbiddenField('spec.metrics', detail)]
}

const maxWindowSeconds = 3600
const selectPolicies = ['Disabled', 'Max', 'Min']

/** Errors for scaling rules, which have defaults if there is a behavior. */
function rulesErrors(path: string, rules: HPAScalingRules): FieldError[] {
  if (Object.keys(rules).length === 0) return []
  const { selectPolicy, policies = [], tolerance } = rules
  return [
    ...windowErrors(`${path}.stabilizationWindowSeconds`, rules.stabilizationWindowSeconds ?? 0),
    ...(selectPolicy === undefined
      ? []
      : oneOf(`${path}.selectPolicy`, selectPolicy, selectPolicies)),
    ...(policies.length === 0
      ? [requiredField(`${path}.policies`, 'must specify at least one Policy')]
      : []),
    ...policies.flatMap((policy, index) => policyErrors(`${path}.policies[${index}]`, policy)),
    ...(tolerance === undefined ? [] : toleranceErrors(`${path}.tolerance`, tolerance)),
  ]
}

function windowErrors(path: string, seconds: number): FieldError[] {
  if (seconds < 0) return [invalidField(path, seconds, 'must be greater than or equal to zero')]
  if (seconds <= maxWindowSeconds) return []
  return [invalidField(path, seconds, `must be less than or equal to ${maxWindowSeconds}`)]
}

function toleranceErrors(path: string, tolerance: string): FieldError[] {
  if ((parseQuantity(tolerance)?.digits ?? 0n) >= 0n) return []
  return [invalidField(path, tolerance, 'must be greater than or equal to 0')]
}

const maxPeriodSeconds = 1800
const policyTypes = ['Percent', 'Pods']

function policyErrors(
  path: string,
  { type = '', value = 0, periodSeconds: period = 0 }: HPAScalingPolicy,
): FieldError[] {
  const positive = (field: string, count: number) =>
    count > 0 ? [] : [invalidField(`${path}.${field}`, count, 'must be greater than zero')]
  const detail = `must be less than or equal to ${maxPeriodSeconds}`
  return [
    ...(policyTypes.includes(type) ? [] : [notSupportedField(`${path}.type`, type, policyTypes)]),
    ...positive('value', value),
    ...positive('periodSeconds', period),
    ...(period > maxPeriodSeconds ? [invalidField(`${path}.periodSeconds`, period, detail)] : []),
  ]
}
