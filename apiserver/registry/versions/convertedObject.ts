import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../resource.ts'

/** Converts an object between versions of a kind, through the stored form. */
export function convertedObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const stored = from.storedAs?.toStored(object) ?? object
  return to.storedAs?.fromStored(stored) ?? stored
}
