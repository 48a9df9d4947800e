import { forbiddenField, invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { countColumn } from '../columns.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { notNegative, oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { asWorkload, podSpecIn, type WorkloadSpec } from './workload.ts'
import { readyColumn, templateColumns } from './workloadColumns.ts'
import {
  fixedSelector,
  isZeroShare,
  shareErrors,
  workloadErrors,
  type Share,
} from './workloadRules.ts'

interface DeploymentSpec extends WorkloadSpec {
  strategy?: { type?: string; rollingUpdate?: { maxUnavailable?: Share; maxSurge?: Share } }
  progressDeadlineSeconds?: number
}

/** Stored only. Source: Kubernetes API reference, Deployment v1. */
export function deploymentResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'deployments' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    description: 'Deployment keeps pods of one template running and replaces them step by step.',
    strategy: {
      generation: 'specAndAnnotations',
      setDefaults,
      validate: deploymentErrors,
      validateUpdate: (next, old) => [
        ...deploymentErrors(next),
        ...fixedSelector(specOf(next), specOf(old)),
      ],
    },
    subresources: [
      statusSubresource(),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(specOf(object).selector),
      }),
    ],
    columns: [
      nameColumn,
      readyColumn,
      countColumn('Up-to-date', 'status.updatedReplicas', 'Replicas of the newest template.'),
      countColumn('Available', 'status.availableReplicas', 'Replicas ready for long enough.'),
      ageColumn,
      ...templateColumns,
    ],
  })
}

function specOf(object: ApiObject): DeploymentSpec {
  return asWorkload(object).spec
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  setPodSpecDefaults(podSpecIn(spec.template))
  const strategy = (spec.strategy ??= {})
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return
  strategy.rollingUpdate ??= {}
  fill(strategy.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' })
}

function deploymentErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec
  const isTooShort = deadline !== undefined && deadline <= minReadySeconds
  return [
    ...workloadErrors(spec, 'deployment'),
    ...strategyErrors(spec.strategy ?? {}),
    ...notNegative('spec.progressDeadlineSeconds', deadline),
    ...(isTooShort
      ? [
          invalidField(
            'spec.progressDeadlineSeconds',
            deadline,
            'must be greater than minReadySeconds',
          ),
        ]
      : []),
  ]
}

function strategyErrors({ type, rollingUpdate }: NonNullable<DeploymentSpec['strategy']>) {
  const path = 'spec.strategy'
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'"
    return rollingUpdate === undefined ? [] : [forbiddenField(`${path}.rollingUpdate`, detail)]
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {}
  const errors = [
    ...oneOf(`${path}.type`, type, ['Recreate', 'RollingUpdate']),
    ...shareErrors(`${path}.rollingUpdate.maxUnavailable`, maxUnavailable),
    ...shareErrors(`${path}.rollingUpdate.maxSurge`, maxSurge),
  ]
  if (isZeroShare(maxUnavailable) && isZeroShare(maxSurge)) {
    const detail = 'may not be 0 when `maxSurge` is 0'
    errors.push(invalidField(`${path}.rollingUpdate.maxUnavailable`, maxUnavailable, detail))
  }
  return errors
}
