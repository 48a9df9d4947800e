import { formOf } from '../objectForm.ts'
import type { ResourceDefinition } from '../resource.ts'
import type { ObjectName } from '../storeTypes.ts'

/** Message of a storage error of the real server. Its key reveals nothing about the planes. */
export function storageErrorText(
  resource: ResourceDefinition,
  { namespace, name }: ObjectName,
  why: string,
): string {
  const folder = formOf(resource).isStoredByGroup
    ? [resource.group, resource.plural]
    : [resource.plural]
  const key = ['', 'registry', ...folder, ...(namespace === '' ? [] : [namespace]), name].join('/')
  return `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`
}
