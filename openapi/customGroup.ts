import { formOf } from '../apiserver/registry/objectForm.ts'
import type { ResourceSet } from '../apiserver/registry/resourceSet.ts'

/**
 * Reports whether a group only has custom kinds: its discovery is not published, nor the definitions that every group
 * shares.
 */
export function isCustomGroup(set: ResourceSet, group: string): boolean {
  return set.all().every((one) => one.group !== group || formOf(one).isClientDefined)
}
