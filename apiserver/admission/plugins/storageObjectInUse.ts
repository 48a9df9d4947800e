import type { AdmissionPlugin } from '../admissionPlugin.ts'
import { isTarget } from './podTarget.ts'

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
}

/**
 * Adds a finalizer to volumes and claims, which a controller of the cluster removes when they are
 * no longer in use. Source: Kubernetes, StorageObjectInUseProtection.
 */
export const storageObjectInUse: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: (target) =>
    Object.keys(finalizers).some((plural) =>
      isTarget(target, { group: '', plural, operations: ['CREATE'] }),
    ),
  mutate: ({ object, resource }) => {
    const finalizer = finalizers[resource.plural]
    if (object === undefined || finalizer === undefined) return
    const found = object.metadata.finalizers ?? []
    if (!found.includes(finalizer)) object.metadata.finalizers = [...found, finalizer]
  },
}
