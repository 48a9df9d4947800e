import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../resource.ts'
import { canonicalForm, objectSchema } from '../schema/canonicalForm.ts'

/**
 * Converts an object between versions of a kind, through the stored form.
 * @throws PendingConversion if another program has to convert it first.
 */
export function convertedObject(
  object: ApiObject,
  from: ResourceDefinition,
  to: ResourceDefinition,
): ApiObject {
  const { remote } = to.storedAs ?? {}
  if (remote !== undefined) return remote.converted(object, groupVersionString(to))
  const stored = from.storedAs?.toStored(object) ?? object
  return to.storedAs?.fromStored(stored) ?? stored
}

/**
 * Object that is not stored, as it would be read after being stored.
 * @throws PendingConversion if another program has to convert it first.
 */
export function asStored(object: ApiObject, resource: ResourceDefinition): ApiObject {
  const { storedAs: form } = resource
  if (form === undefined) return object
  const { remote } = form
  const shown = (one: ApiObject, version: ResourceDefinition) =>
    remote?.converted(one, groupVersionString(version)) ?? one
  const stored = inOrder(form.toStored(shown(object, form.resource)), form.resource)
  return inOrder(shown(form.fromStored(stored), resource), resource)
}

export function inOrder(object: ApiObject, resource: ResourceDefinition): ApiObject {
  // canonicalForm returns an object for an object.
  return canonicalForm(object, objectSchema(resource.schema)).value as ApiObject
}
