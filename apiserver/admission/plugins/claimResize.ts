import { compareQuantityStrings } from '../../apis/kubernetes/core/quantityRules.ts'
import { forbidden } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { groupResource } from '../../registry/resource.ts'
import type { AdmissionPlugin } from '../admissionPlugin.ts'
import type { PlaneObjects } from '../planeObjects.ts'
import { isTarget } from './podTarget.ts'

interface ClaimSpec {
  storageClassName?: string
  resources?: { requests?: { storage?: string } }
}

const refusal =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

/**
 * Refuses the expansion of volume claims whose class does not allow it. Source: Kubernetes,
 * PersistentVolumeClaimResize.
 */
export function claimResize(objects: PlaneObjects): AdmissionPlugin {
  const plural = 'persistentvolumeclaims'
  const classes = { group: 'storage.k8s.io', resource: 'storageclasses' }
  return {
    name: 'PersistentVolumeClaimResize',
    handles: (target) => isTarget(target, { group: '', plural, operations: ['UPDATE'] }),
    validate: ({ object, oldObject, resource, name }) => {
      if (object === undefined || oldObject === undefined) return
      const [next, old] = [specOf(object), specOf(oldObject)]
      if (compareQuantityStrings(sizeOf(next), sizeOf(old)) <= 0) return
      const { storageClassName = '' } = next
      const isSame = storageClassName !== '' && storageClassName === old.storageClassName
      const found = isSame ? objects.get(classes, '', storageClassName) : undefined
      if (found?.['allowVolumeExpansion'] === true) return
      throw forbidden(groupResource(resource), name, refusal)
    },
  }
}

function specOf(object: ApiObject): ClaimSpec {
  return object['spec'] ?? {} // typed by its schema
}

function sizeOf({ resources }: ClaimSpec): string {
  return resources?.requests?.storage ?? '0'
}
