import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { countColumn } from '../../columns.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { notNegative } from '../../fieldChecks.ts'
import { fill } from '../../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { podNameWarnings, warnsOfTemplate } from './templateRules.ts'
import { asWorkload, podSpecIn, statusOf } from './workload.ts'
import { templateColumns } from './workloadColumns.ts'
import { countErrors, fixedSelector, partErrors, replicaErrors } from './workloadRules.ts'

/** Definition of the ReplicaSet kind, which is only stored. Source: Kubernetes API reference, ReplicaSet v1. */
export function replicaSetResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'replicasets' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'ReplicaSet',
    namespaced: true,
    shortNames: ['rs'],
    categories: ['all'],
    description: 'ReplicaSet keeps a number of identical pods running.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      setDefaults,
      validate: replicaSetErrors,
      ...warnsOfTemplate('spec.template', { before: podNameWarnings }),
      validateUpdate: (next, old) => [
        ...replicaSetErrors(next),
        ...fixedSelector(asWorkload(next).spec, asWorkload(old).spec),
      ],
    },
    subresources: [
      statusSubresource(statusErrors),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(asWorkload(object).spec.selector),
      }),
    ],
    columns: [
      nameColumn,
      countColumn('Desired', 'spec.replicas', 'Desired number of replicas.'),
      countColumn('Current', 'status.replicas', 'Current number of replicas.'),
      countColumn('Ready', 'status.readyReplicas', 'Number of ready replicas.'),
      ageColumn,
      ...templateColumns,
    ],
  })
}

function setDefaults(object: ApiObject): void {
  const { spec } = asWorkload(object)
  fill(spec, { replicas: 1 })
  setPodSpecDefaults(podSpecIn(spec.template))
}

function replicaSetErrors(object: ApiObject): FieldError[] {
  const { spec } = asWorkload(object)
  return [
    ...notNegative('spec.replicas', spec.replicas),
    ...notNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...replicaErrors(spec),
  ]
}

const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']
const statusCounts = ['replicas', ...parts, 'observedGeneration', 'terminatingReplicas']

function statusErrors(next: ApiObject): FieldError[] {
  const status = statusOf(next)
  return [...countErrors(status, statusCounts), ...partErrors(status, parts, 'readyReplicas')]
}
