import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { emptyForm } from '../../registry/schema/emptyForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/**
 * An object of the kind without any content: except for custom kinds, spec and status always exist with their mandatory
 * fields. It is cached, and must not be modified.
 */
export function emptyObjectOf(resource: ResourceDefinition): ApiObject {
  let empty = emptyObjects.get(resource)
  if (empty === undefined) {
    const { kind, schema, isCustom } = resource
    empty = { kind, apiVersion: groupVersionString(resource), metadata: Object.freeze({}) }
    for (const name of ['spec', 'status']) {
      const field = schema.properties?.[name]
      if (isCustom !== true && field !== undefined) empty[name] = Object.freeze(emptyForm(field))
    }
    emptyObjects.set(resource, Object.freeze(empty))
  }
  return empty
}

const emptyObjects = new WeakMap<ResourceDefinition, ApiObject>()
