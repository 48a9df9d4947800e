import {
  forbiddenField,
  invalidField,
  notSupportedField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { notNegative } from '../../fieldChecks.ts'
import type { DeploymentSpec, RollingUpdateDaemonSet } from '../shapes/appsV1.ts'
import {
  intOrPercentErrors,
  intOrPercentValue,
  shownStrategy,
  percentLimitErrors,
} from './intOrPercentRules.ts'
import { asWorkload, statusOf } from './workload.ts'
import { collisionErrors, countErrors, partErrors, replicaErrors } from './workloadRules.ts'

export function deploymentSpec(object: ApiObject): DeploymentSpec {
  return asWorkload(object).spec
}

/**
 * Errors for a deployment. Source: Kubernetes API reference, DeploymentSpec v1; observed answers.
 */
export function deploymentErrors(object: ApiObject): FieldError[] {
  const spec = deploymentSpec(object)
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec
  const isTooShort = deadline !== undefined && deadline <= minReadySeconds
  const path = 'spec.progressDeadlineSeconds'
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...replicaErrors(spec),
    ...strategyErrors(spec.strategy ?? {}),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...notNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...notNegative(path, deadline),
    ...(isTooShort ? [invalidField(path, deadline, 'must be greater than minReadySeconds')] : []),
  ]
}

type UpdateStrategy = NonNullable<DeploymentSpec['strategy']>

function strategyErrors({ type = '', rollingUpdate }: UpdateStrategy): FieldError[] {
  const path = 'spec.strategy'
  switch (type) {
    case 'Recreate': {
      const detail = "may not be specified when strategy `type` is 'Recreate'"
      return rollingUpdate === undefined ? [] : [forbiddenField(`${path}.rollingUpdate`, detail)]
    }
    case 'RollingUpdate':
      return rollingErrors(`${path}.rollingUpdate`, rollingUpdate ?? {})
    default:
      return [notSupportedField(path, shownStrategy(type, rollingUpdate), strategyTypes)]
  }
}

const strategyTypes = ['Recreate', 'RollingUpdate']

function rollingErrors(
  path: string,
  { maxUnavailable, maxSurge }: RollingUpdateDaemonSet,
): FieldError[] {
  const isStuck = intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0
  const at = `${path}.maxUnavailable`
  return [
    ...intOrPercentErrors(at, maxUnavailable),
    ...intOrPercentErrors(`${path}.maxSurge`, maxSurge),
    ...(isStuck ? [invalidField(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...percentLimitErrors(at, maxUnavailable),
  ]
}

const statusCounts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
]

export function statusErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [status, before] = [statusOf(next), statusOf(old)]
  const parts = ['updatedReplicas', 'readyReplicas', 'availableReplicas']
  return [
    ...countErrors(status, statusCounts),
    ...partErrors(status, parts, 'readyReplicas'),
    ...collisionErrors(status, before),
  ]
}
