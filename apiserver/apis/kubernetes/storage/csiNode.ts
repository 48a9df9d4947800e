import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { listLength } from '../../columns.ts'
import { errorIf, given, isSame, notNegative, qualifiedName } from '../../fieldChecks.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { driverErrors } from '../core/volume/volumeSources.ts'
import type { CSINodeDriver } from '../shapes/storageV1.ts'

/**
 * Definition of the CSINode kind. A disabled feature guards the storage health in the status.
 * Source: Kubernetes API reference, CSINode v1; seen on kube-apiserver 1.37.2.
 */
export function csiNodeResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'csinodes',
    kind: 'CSINode',
    namespaced: false,
    description: 'CSINode lists the CSI drivers on a node.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      deletion: { returnsObject: true },
      allowUnconditionalUpdate: false,
      canonicalize: (object) => {
        for (const driver of driversOf(object)) {
          if (driver.topologyKeys?.length === 0) driver.topologyKeys = null
        }
      },
      validate: (object) => driversErrors(driversOf(object)),
      validateUpdate: (next, old) => [
        ...driversErrors(driversOf(next)),
        ...changeErrors(driversOf(next), driversOf(old)),
      ],
    },
    subresources: [bareStatusSubresource()],
    columns: [
      nameColumn,
      {
        name: 'Drivers',
        type: 'integer',
        description: 'Number of drivers on the node.',
        cell: (object) => listLength(object, 'spec.drivers'),
      },
      ageColumn,
    ],
  })
}

function driversOf(object: ApiObject): readonly CSINodeDriver[] {
  // Guaranteed by the schema; the store gives every object a spec.
  const { drivers } = (object['spec'] ?? {}) as { drivers?: CSINodeDriver[] | null }
  return drivers ?? []
}

function driversErrors(drivers: readonly CSINodeDriver[]): FieldError[] {
  const isRepeated = repeats(drivers.map(({ name = '' }) => name))
  return drivers.flatMap((driver, index) => {
    const path = `spec.drivers[${index}]`
    const { name = '', nodeID = '', allocatable } = driver
    return [
      ...driverErrors(`${path}.name`, name),
      ...given(`${path}.nodeID`, nodeID),
      ...errorIf(Buffer.byteLength(nodeID) > maxNodeIdBytes, () =>
        invalidField(`${path}.nodeID`, nodeID, `must be ${maxNodeIdBytes} characters or less`),
      ),
      ...notNegative(`${path}.allocatable.count`, allocatable?.count),
      ...errorIf(isRepeated[index] === true, () => duplicateField(`${path}.name`, name)),
      ...keyErrors(path, driver.topologyKeys ?? []),
    ]
  })
}

const maxNodeIdBytes = 256

function keyErrors(path: string, keys: readonly string[]): FieldError[] {
  const isRepeated = repeats(keys)
  return keys.flatMap((key, index) => [
    ...errorIf(key === '', () => requiredField(path)),
    ...errorIf(isRepeated[index] === true, () => duplicateField(path, key)),
    ...qualifiedName(path, key),
  ])
}

/** Errors for changes: only the number of volumes of an existing driver may change. */
function changeErrors(next: readonly CSINodeDriver[], old: readonly CSINodeDriver[]): FieldError[] {
  const kept = (driver: CSINodeDriver) => ({
    ...driver,
    topologyKeys: driver.topologyKeys ?? [],
    allocatable: 0,
  })
  return old.flatMap((before) =>
    next
      .filter((after) => after.name === before.name)
      .filter((after) => !isSame(kept(after), kept(before)))
      .map((after) => invalidField('spec.drivers', shown(after), 'field is immutable')),
  )
}

/** Value as error messages show it: all fields, with the names of the internal type. */
function shown({ name = '', nodeID = '', topologyKeys }: CSINodeDriver): unknown {
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ?? null, Allocatable: null }
}
