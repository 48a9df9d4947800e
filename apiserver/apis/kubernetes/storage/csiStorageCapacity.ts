import type { FieldError } from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { givenName, unchanged } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { nonnegativeQuantity } from '../core/quantityRules.ts'
import { selectorWarnings } from '../core/node/deprecatedLabels.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { LabelSelector } from '../shapes/metaV1.ts'

interface StorageCapacity extends ApiObject {
  nodeTopology?: LabelSelector
  storageClassName?: string
  capacity?: string
}

/**
 * Definition of the CSIStorageCapacity kind. Source: Kubernetes API reference, CSIStorageCapacity v1; seen on
 * kube-apiserver 1.37.2.
 */
export function csiStorageCapacityResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'csistoragecapacities',
    kind: 'CSIStorageCapacity',
    namespaced: true,
    description:
      'CSIStorageCapacity reports the available capacity of a storage class for some nodes.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      allowUnconditionalUpdate: false,
      validate: capacityErrors,
      validateUpdate: (next, old) => [...capacityErrors(next), ...changeErrors(next, old)],
      warningsOnCreate: warnings,
      warningsOnUpdate: warnings,
    },
  })
}

function asCapacity(object: ApiObject): StorageCapacity {
  // Guaranteed by the schema.
  return object
}

function capacityErrors(object: ApiObject): FieldError[] {
  const { nodeTopology, storageClassName = '', capacity } = asCapacity(object)
  return [
    ...(nodeTopology === undefined ? [] : selectorErrors('nodeTopology', nodeTopology)),
    ...givenName('storageClassName', storageClassName, subdomainErrors),
    ...(capacity === undefined ? [] : nonnegativeQuantity('capacity', capacity)),
  ]
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asCapacity(next), asCapacity(old)]
  return [
    ...unchanged('nodeTopology', after.nodeTopology, before.nodeTopology),
    ...unchanged('storageClassName', after.storageClassName, before.storageClassName),
  ]
}

function warnings(object: ApiObject): string[] {
  const { nodeTopology } = asCapacity(object)
  return nodeTopology === undefined ? [] : selectorWarnings('nodeTopology', nodeTopology)
}
