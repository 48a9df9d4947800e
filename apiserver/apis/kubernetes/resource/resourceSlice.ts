import { unchanged } from '../../fieldChecks.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { cellColumn } from '../../columns.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import type { ResourceSlice } from './resourceShapes.ts'
import { sliceErrors } from './resourceSliceRules.ts'
import { setTaintTime } from './taintTime.ts'

/**
 * Definition of the ResourceSlice kind. Source: Kubernetes API reference, ResourceSlice v1; seen on kube-apiserver
 * 1.37.2.
 */
export function resourceSliceResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'resource.k8s.io',
    version: 'v1',
    plural: 'resourceslices',
    kind: 'ResourceSlice',
    namespaced: false,
    description: 'ResourceSlice lists devices that a driver provides.',
    selectableFields: {
      'spec.nodeName': (object) => specOf(object).nodeName ?? '',
      'spec.driver': (object) => specOf(object).driver ?? '',
      'spec.pool.name': (object) => specOf(object).pool?.name ?? '',
    },
    isNamespaceSelectable: false,
    refusedField: (path) =>
      `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${path}`,
    strategy: {
      deletion: { returnsObject: true },
      setDefaults: (slice) => {
        for (const { taints = [] } of specOf(slice).devices ?? []) taints.forEach(setTaintTime)
      },
      validate: (slice) => sliceErrors(slice),
      validateUpdate: (next, old) => [
        ...sliceErrors(next),
        ...unchanged('spec.pool.name', specOf(next).pool?.name, specOf(old).pool?.name),
        ...unchanged('spec.driver', specOf(next).driver, specOf(old).driver),
        ...unchanged('spec.nodeName', specOf(next).nodeName, specOf(old).nodeName),
      ],
    },
    columns: [
      nameColumn,
      cellColumn('Node', 'Node with the devices.', (one) => specOf(one).nodeName ?? ''),
      cellColumn('Driver', 'Driver of the devices.', (one) => specOf(one).driver ?? ''),
      cellColumn('Pool', 'Pool of the devices.', (one) => specOf(one).pool?.name ?? ''),
      ageColumn,
    ],
  })
}

function specOf({ spec }: ApiObject & ResourceSlice): NonNullable<ResourceSlice['spec']> {
  return spec ?? {}
}
