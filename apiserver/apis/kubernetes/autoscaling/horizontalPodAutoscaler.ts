import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { asText, cellColumn, countColumn } from '../../columns.ts'
import { fill } from '../../fill.ts'
import { statusOf } from '../apps/workload.ts'
import type { HorizontalPodAutoscalerSpec } from '../shapes/autoscalingV2.ts'
import { autoscalerErrors, autoscalerStatusErrors } from './autoscalerRules.ts'
import { setBehaviorDefaults } from './behaviorDefaults.ts'
import { targetsCell, type Metric } from './metricsColumn.ts'

/**
 * Definition of the HorizontalPodAutoscaler kind, which is only stored. Source: Kubernetes API reference,
 * HorizontalPodAutoscaler v2.
 */
export function horizontalPodAutoscalerResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
    shortNames: ['hpa'],
    categories: ['all'],
    description: 'HorizontalPodAutoscaler adjusts the number of replicas of a workload.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      setDefaults,
      validate: autoscalerRules.validate,
      validateUpdate: autoscalerRules.validateUpdate,
    },
    subresources: [statusSubresource(autoscalerRules.validateStatus)],
    columns: [
      nameColumn,
      cellColumn('Reference', 'Workload that is scaled.', (object) => {
        const { kind = '', name = '' } = specOf(object).scaleTargetRef ?? {}
        return `${kind}/${name}`
      }),
      cellColumn('Targets', 'Current and target value of each metric.', (object) =>
        targetsCell(specOf(object).metrics ?? [], currentMetrics(object)),
      ),
      cellColumn('MinPods', 'Minimum number of replicas.', (object) =>
        String(specOf(object).minReplicas ?? '<unset>'),
      ),
      asText(countColumn('MaxPods', 'spec.maxReplicas', 'Maximum number of replicas.')),
      asText(countColumn('Replicas', 'status.currentReplicas', 'Current number of replicas.')),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): HorizontalPodAutoscalerSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

function currentMetrics(object: ApiObject): Metric[] {
  // Guaranteed by the schema.
  const { currentMetrics: current } = (object['status'] ?? {}) as { currentMetrics?: Metric[] }
  return current ?? []
}

const cpuTarget: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

const prefix = 'autoscaling.alpha.kubernetes.io/'

/** Annotations for fields that the older version lacks; this version stores none of them. */
export const carriers = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
  currentMetrics: `${prefix}current-metrics`,
} as const

function setDefaults(object: ApiObject): void {
  const { annotations } = object.metadata
  if (annotations !== undefined) {
    for (const name of Object.values(carriers)) Reflect.deleteProperty(annotations, name)
  }
  const spec = specOf(object)
  fill(spec, { minReplicas: 1 })
  if ((spec.metrics ?? []).length === 0) spec.metrics = [structuredClone(cpuTarget)]
  if (spec.behavior !== undefined) setBehaviorDefaults(spec.behavior)
}

/** Rules of both versions, for the stored form of an object. */
export const autoscalerRules = {
  validate: (object: ApiObject) => autoscalerErrors(specOf(object), undefined),
  validateUpdate: (next: ApiObject, old: ApiObject) => autoscalerErrors(specOf(next), specOf(old)),
  validateStatus: (next: ApiObject) => autoscalerStatusErrors(statusOf(next)),
}
