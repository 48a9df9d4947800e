import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, countColumn } from '../columns.ts'
import { given } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { setBehaviorDefaults, type Behavior } from './behaviorDefaults.ts'
import { targetsText, type Metric } from './metricsText.ts'

export interface AutoscalerSpec {
  scaleTargetRef?: { kind?: string; name?: string }
  minReplicas?: number
  maxReplicas?: number
  metrics?: Metric[]
  behavior?: Behavior
}

/** Stored only. Source: Kubernetes API reference, HorizontalPodAutoscaler v2. */
export function horizontalPodAutoscalerResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'autoscaling',
    version: 'v2',
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    namespaced: true,
    shortNames: ['hpa'],
    categories: ['all'],
    description: 'HorizontalPodAutoscaler sets how many replicas a workload has.',
    strategy: {
      generation: 'none',
      setDefaults,
      validate: autoscalerErrors,
      validateUpdate: autoscalerErrors,
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      cellColumn('Reference', 'What it scales.', (object) => {
        const { kind = '', name = '' } = specOf(object).scaleTargetRef ?? {}
        return `${kind}/${name}`
      }),
      cellColumn('Targets', 'What is measured, of how much.', (object) =>
        targetsText(specOf(object).metrics ?? [], currentMetrics(object)),
      ),
      cellColumn('MinPods', 'The least replicas.', (object) =>
        String(specOf(object).minReplicas ?? '<unset>'),
      ),
      countColumn('MaxPods', 'spec.maxReplicas', 'The most replicas.'),
      countColumn('Replicas', 'status.currentReplicas', 'Replicas that are there.'),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): AutoscalerSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return object['spec'] ?? {}
}

function currentMetrics(object: ApiObject): Metric[] {
  // The schema says what the status holds.
  const { currentMetrics: current } = (object['status'] ?? {}) as { currentMetrics?: Metric[] }
  return current ?? []
}

const cpuTarget: Metric = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { minReplicas: 1 })
  if ((spec.metrics ?? []).length === 0) spec.metrics = [structuredClone(cpuTarget)]
  if (spec.behavior !== undefined) setBehaviorDefaults(spec.behavior)
}

/** The rules of both versions. */
export function autoscalerErrors(object: ApiObject): FieldError[] {
  const { minReplicas = 1, maxReplicas = 0, scaleTargetRef = {} } = specOf(object)
  const atLeast = (path: string, value: number, least: string) =>
    invalidField(path, value, `must be greater than or equal to ${least}`)
  const errors: FieldError[] = []
  if (minReplicas < 1) errors.push(atLeast('spec.minReplicas', minReplicas, '1'))
  if (maxReplicas < 1) {
    errors.push(invalidField('spec.maxReplicas', maxReplicas, 'must be greater than 0'))
  }
  if (maxReplicas < minReplicas) {
    errors.push(atLeast('spec.maxReplicas', maxReplicas, '`minReplicas`'))
  }
  return [
    ...errors,
    ...given('spec.scaleTargetRef.kind', scaleTargetRef.kind),
    ...given('spec.scaleTargetRef.name', scaleTargetRef.name),
  ]
}
