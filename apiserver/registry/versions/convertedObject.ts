import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../resource.ts'
import { canonicalForm, objectSchema } from '../schema/canonicalForm.ts'

/** Converts an object between versions of a kind, through the stored form. */
export function convertedObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const stored = from.storedAs?.toStored(object) ?? object
  return to.storedAs?.fromStored(stored) ?? stored
}

/** An object that is not stored, as it would be read after it was. */
export function asStored(object: ApiObject, resource: ResourceDefinition): ApiObject {
  const { storedAs: form } = resource
  if (form === undefined) return object
  const stored = inOrder(form.toStored(object), form.resource)
  return inOrder(form.fromStored(stored), resource)
}

export function inOrder(object: ApiObject, resource: ResourceDefinition): ApiObject {
  // canonicalForm keeps what is an object an object.
  return canonicalForm(object, objectSchema(resource.schema)).value as ApiObject
}
