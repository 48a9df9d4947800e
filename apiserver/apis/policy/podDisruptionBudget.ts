import { invalidField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { shareErrors, type Share } from '../apps/workloadRules.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { countColumn, cellColumn } from '../columns.ts'
import type { SpecSelector } from '../labelSelection.ts'
import { selectorErrors } from '../selectorRules.ts'

interface BudgetSpec {
  minAvailable?: Share
  maxUnavailable?: Share
  selector?: SpecSelector
}

/** Asked by evictions; nobody keeps its status. Source: Kubernetes API reference, PodDisruptionBudget v1. */
export function podDisruptionBudgetResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'policy',
    version: 'v1',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    namespaced: true,
    shortNames: ['pdb'],
    description: 'PodDisruptionBudget bounds how many pods may be evicted at once.',
    strategy: {
      generation: 'spec',
      allowUnconditionalUpdate: false,
      validate: budgetErrors,
      validateUpdate: budgetErrors,
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      cellColumn('Min Available', 'How many pods must be left.', (object) =>
        shareText(specOf(object).minAvailable),
      ),
      cellColumn('Max Unavailable', 'How many pods may be gone.', (object) =>
        shareText(specOf(object).maxUnavailable),
      ),
      countColumn(
        'Allowed Disruptions',
        'status.disruptionsAllowed',
        'How many may be evicted now.',
      ),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): BudgetSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return object['spec'] ?? {}
}

function shareText(share: Share): string {
  return share === undefined ? 'N/A' : String(share)
}

function budgetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { minAvailable, maxUnavailable, selector } = spec
  const isBoth = minAvailable !== undefined && maxUnavailable !== undefined
  const detail = 'minAvailable and maxUnavailable cannot be both set'
  return [
    ...(isBoth ? [invalidField('spec', spec, detail)] : []),
    ...shareErrors('spec.minAvailable', minAvailable),
    ...shareErrors('spec.maxUnavailable', maxUnavailable),
    ...(selector === undefined ? [] : selectorErrors('spec.selector', selector)),
  ]
}
