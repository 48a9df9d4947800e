import { groupVersionString, type ApiObject } from '../meta/types.ts'
import type { ResourceDefinition } from '../registry/resource.ts'

/** An object of the kind before it has any content: one with a spec and a status always has both, but for custom kinds. It
 *  is made once, and only compared with. */
export function emptyObjectOf(resource: ResourceDefinition): ApiObject {
  let empty = emptyObjects.get(resource)
  if (empty === undefined) {
    const { kind, schema, isCustom } = resource
    empty = { kind, apiVersion: groupVersionString(resource), metadata: Object.freeze({}) }
    for (const name of ['spec', 'status']) {
      const isStruct = isCustom !== true && schema.properties?.[name] !== undefined
      if (isStruct) empty[name] = Object.freeze({})
    }
    emptyObjects.set(resource, Object.freeze(empty))
  }
  return empty
}

const emptyObjects = new WeakMap<ResourceDefinition, ApiObject>()
