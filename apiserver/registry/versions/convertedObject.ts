import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../resource.ts'

/** An object of one version of a kind as one of another, through the form that both are stored in. */
export function convertedObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const stored = from.storedAs?.toStored(object) ?? object
  return to.storedAs?.fromStored(stored) ?? stored
}
