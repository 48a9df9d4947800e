import { formOf } from '../../registry/objectForm.ts'
import type { Schema } from '../../meta/schema.ts'
import { groupVersionString, type ApiObject } from '../../meta/types.ts'
import { emptyForm } from '../../registry/schema/emptyForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'

/**
 * An object of the kind without any content: except for custom kinds, spec, status and mandatory fields always exist, at
 * every depth. It is cached, and must not be modified.
 */
export function emptyObjectOf(resource: ResourceDefinition): ApiObject {
  let empty = emptyObjects.get(resource)
  if (empty === undefined) {
    const { kind, schema } = resource
    const content = formOf(resource).isComplete ? emptyContent(schema) : {}
    const apiVersion = groupVersionString(resource)
    empty = Object.freeze({ ...content, kind, apiVersion, metadata: Object.freeze({}) })
    emptyObjects.set(resource, empty)
  }
  return empty
}

function emptyContent(schema: Schema): Record<string, unknown> {
  const empty = emptyForm(schema)
  for (const name of ['spec', 'status']) {
    const field = schema.properties?.[name]
    if (field !== undefined) empty[name] = emptyForm(field)
  }
  return empty
}

const emptyObjects = new WeakMap<ResourceDefinition, ApiObject>()
