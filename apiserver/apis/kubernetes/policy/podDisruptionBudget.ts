import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import {
  intOrPercentErrors,
  percentLimitErrors,
  type IntOrPercent,
} from '../apps/intOrPercentRules.ts'
import { statusOf } from '../apps/workload.ts'
import { countErrors } from '../apps/workloadRules.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { countColumn, cellColumn } from '../../columns.ts'
import { oneOf } from '../../fieldChecks.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { PodDisruptionBudgetSpec } from '../shapes/policyV1.ts'

/**
 * Definition of the PodDisruptionBudget kind, read by evictions; no controller updates its status here. Source:
 * Kubernetes API reference, PodDisruptionBudget v1.
 */
export function podDisruptionBudgetResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'policy',
    version: 'v1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    namespaced: true,
    shortNames: ['pdb'],
    description: 'PodDisruptionBudget limits how many pods may be evicted at the same time.',
    strategy: {
      metadata: { qualifiedFinalizers: false, reportedFirst: false },
      generation: 'spec',
      nameRule: 'pathSegment',
      allowUnconditionalUpdate: false,
      validate: budgetErrors,
      validateUpdate: budgetErrors,
    },
    subresources: [statusSubresource(statusErrors)],
    columns: [
      nameColumn,
      cellColumn('Min Available', 'Minimum number of available pods.', (object) =>
        intOrPercentText(specOf(object).minAvailable),
      ),
      cellColumn('Max Unavailable', 'Maximum number of unavailable pods.', (object) =>
        intOrPercentText(specOf(object).maxUnavailable),
      ),
      countColumn(
        'Allowed Disruptions',
        'status.disruptionsAllowed',
        'Number of pods that may currently be evicted.',
      ),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): PodDisruptionBudgetSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

function intOrPercentText(value: IntOrPercent): string {
  return value === undefined ? 'N/A' : String(value)
}

const policies = ['AlwaysAllow', 'IfHealthyBudget']

function budgetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const isBoth = minAvailable !== undefined && maxUnavailable !== undefined
  const detail = 'minAvailable and maxUnavailable cannot be both set'
  return [
    ...(isBoth ? [invalidField('spec', shownSpec(spec), detail)] : []),
    ...intOrPercentErrors('spec.minAvailable', minAvailable),
    ...percentLimitErrors('spec.minAvailable', minAvailable),
    ...intOrPercentErrors('spec.maxUnavailable', maxUnavailable),
    ...percentLimitErrors('spec.maxUnavailable', maxUnavailable),
    ...(selector === undefined ? [] : selectorErrors('spec.selector', selector)),
    ...(policy === undefined ? [] : oneOf('spec.unhealthyPodEvictionPolicy', policy, policies)),
  ]
}

/**
 * Spec as error messages show it: the internal type of the real server, whose fields have no JSON
 * names.
 */
function shownSpec({ minAvailable, selector, maxUnavailable, ...rest }: PodDisruptionBudgetSpec) {
  return {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: rest.unhealthyPodEvictionPolicy ?? null,
  }
}

const statusCounts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']

function statusErrors(object: ApiObject): FieldError[] {
  return countErrors(statusOf(object), statusCounts)
}
