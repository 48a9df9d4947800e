import type { FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, countColumn } from '../columns.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { asWorkload, podSpecIn, type WorkloadSpec } from './workload.ts'
import { templateColumns } from './workloadColumns.ts'
import { fixedSelector, shareErrors, workloadErrors, type Share } from './workloadRules.ts'

interface DaemonSetSpec extends WorkloadSpec {
  updateStrategy?: { type?: string; rollingUpdate?: { maxUnavailable?: Share; maxSurge?: Share } }
}

/** Stored only. Source: Kubernetes API reference, DaemonSet v1. */
export function daemonSetResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'apps',
    version: 'v1',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    shortNames: ['ds'],
    categories: ['all'],
    description: 'DaemonSet keeps a pod of one template running on every node.',
    strategy: {
      generation: 'spec',
      setDefaults,
      validate: daemonSetErrors,
      validateUpdate: (next, old) => [
        ...daemonSetErrors(next),
        ...fixedSelector(specOf(next), specOf(old)),
      ],
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      countColumn('Desired', 'status.desiredNumberScheduled', 'Nodes that should have a pod.'),
      countColumn('Current', 'status.currentNumberScheduled', 'Nodes that have one.'),
      countColumn('Ready', 'status.numberReady', 'Nodes whose pod is ready.'),
      countColumn('Up-to-date', 'status.updatedNumberScheduled', 'Pods of the newest template.'),
      countColumn('Available', 'status.numberAvailable', 'Pods ready for long enough.'),
      cellColumn('Node Selector', 'Labels of the nodes.', (object) => {
        const { nodeSelector } = podSpecIn(specOf({ ...object }).template)
        return selectorText(nodeSelector && { matchLabels: nodeSelector })
      }),
      ageColumn,
      ...templateColumns,
    ],
  })
}

function specOf(object: ApiObject): DaemonSetSpec {
  return asWorkload(object).spec
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { revisionHistoryLimit: 10 })
  const strategy = (spec.updateStrategy ??= {})
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {}
    fill(strategy.rollingUpdate, { maxUnavailable: 1, maxSurge: 0 })
  }
  setPodSpecDefaults(podSpecIn(spec.template))
}

function daemonSetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { type, rollingUpdate = {} } = spec.updateStrategy ?? {}
  return [
    ...workloadErrors(spec, 'daemonset'),
    ...oneOf('spec.updateStrategy.type', type, ['RollingUpdate', 'OnDelete']),
    ...shareErrors(
      'spec.updateStrategy.rollingUpdate.maxUnavailable',
      rollingUpdate.maxUnavailable,
    ),
    ...shareErrors('spec.updateStrategy.rollingUpdate.maxSurge', rollingUpdate.maxSurge),
  ]
}
