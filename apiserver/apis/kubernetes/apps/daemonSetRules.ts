import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { notNegative } from '../../fieldChecks.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { DaemonSetSpec, RollingUpdateDaemonSet } from '../shapes/appsV1.ts'
import {
  intOrPercentErrors,
  intOrPercentValue,
  shownStrategy,
  percentLimitErrors,
} from './intOrPercentRules.ts'
import { lastingErrors, podTemplateErrors } from './templateRules.ts'
import { asWorkload, statusOf } from './workload.ts'
import {
  collisionErrors,
  countErrors,
  emptySelectorErrors,
  fixedSelector,
  isReadable,
  mismatchErrors,
} from './workloadRules.ts'

export function daemonSetSpec(object: ApiObject): DaemonSetSpec {
  return asWorkload(object).spec
}

/**
 * Errors for a daemon set. Source: Kubernetes API reference, DaemonSetSpec v1; observed answers.
 */
export function daemonSetErrors(object: ApiObject): FieldError[] {
  const spec = daemonSetSpec(object)
  const { selector } = spec
  return [
    ...(selector ? selectorErrors('spec.selector', selector) : []),
    ...(isReadable(spec) ? mismatchErrors(spec) : []),
    ...emptySelectorErrors(spec, 'daemonset'),
    ...podTemplateErrors('spec.template', spec.template),
    ...lastingErrors('spec.template', spec.template, 'DaemonSet'),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...strategyErrors(spec.updateStrategy ?? {}),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}

export function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  return [...fixedSelector(daemonSetSpec(next), daemonSetSpec(old)), ...daemonSetErrors(next)]
}

function strategyErrors({
  type = '',
  rollingUpdate,
}: NonNullable<DaemonSetSpec['updateStrategy']>): FieldError[] {
  const path = 'spec.updateStrategy'
  if (type === 'OnDelete') return []
  if (type === 'RollingUpdate') return rollingErrors(`${path}.rollingUpdate`, rollingUpdate ?? {})
  const value = shownStrategy(type, rollingUpdate)
  return [notSupportedField(path, value, ['RollingUpdate', 'OnDelete'])]
}

/**
 * Errors for a rolling update: a pod is either deleted before its replacement is created, or after.
 */
function rollingErrors(
  path: string,
  { maxUnavailable, maxSurge }: RollingUpdateDaemonSet,
): FieldError[] {
  const [unavailable, surge] = [`${path}.maxUnavailable`, `${path}.maxSurge`]
  const errors = [
    ...intOrPercentErrors(unavailable, maxUnavailable),
    ...intOrPercentErrors(surge, maxSurge),
    ...percentLimitErrors(unavailable, maxUnavailable),
    ...percentLimitErrors(surge, maxSurge),
  ]
  const [hasUnavailable, hasSurge] = [
    intOrPercentValue(maxUnavailable) !== 0,
    intOrPercentValue(maxSurge) !== 0,
  ]
  if (hasUnavailable && hasSurge) {
    errors.push(invalidField(surge, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  }
  if (!hasUnavailable && !hasSurge) {
    errors.push(requiredField(unavailable, 'cannot be 0 when maxSurge is 0'))
  }
  return errors
}

const statusCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
]

export function statusErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const status = statusOf(next)
  return [...countErrors(status, statusCounts), ...collisionErrors(status, statusOf(old))]
}
