import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { countColumn, valueAt } from '../columns.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { fill } from '../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { asWorkload, podSpecIn } from './workload.ts'
import { templateColumns } from './workloadColumns.ts'
import { fixedSelector, workloadErrors } from './workloadRules.ts'

/** Stored only. Source: Kubernetes API reference, ReplicaSet v1. */
export function replicaSetResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'replicasets' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'ReplicaSet',
    namespaced: true,
    shortNames: ['rs'],
    categories: ['all'],
    description: 'ReplicaSet keeps a number of pods of one template running.',
    strategy: {
      generation: 'spec',
      setDefaults,
      validate: (object) => workloadErrors(asWorkload(object).spec, 'deployment'),
      validateUpdate: (next, old) => [
        ...workloadErrors(asWorkload(next).spec, 'deployment'),
        ...fixedSelector(asWorkload(next).spec, asWorkload(old).spec),
      ],
    },
    subresources: [
      statusSubresource(),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(asWorkload(object).spec.selector),
      }),
    ],
    selectableFields: { 'status.replicas': replicasText },
    columns: [
      nameColumn,
      countColumn('Desired', 'spec.replicas', 'Replicas that are wanted.'),
      countColumn('Current', 'status.replicas', 'Replicas that are there.'),
      countColumn('Ready', 'status.readyReplicas', 'Replicas that are ready.'),
      ageColumn,
      ...templateColumns,
    ],
  })
}

function replicasText(object: ApiObject): string {
  return String(Number(valueAt(object, 'status.replicas') ?? 0))
}

function setDefaults(object: ApiObject): void {
  const { spec } = asWorkload(object)
  fill(spec, { replicas: 1 })
  setPodSpecDefaults(podSpecIn(spec.template))
}
