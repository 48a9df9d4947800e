import { formatTime } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import type { ApplyContext } from '../patch/apply/applyContext.ts'
import { applyObject } from '../patch/apply/applyObject.ts'
import { fieldSetOf } from '../patch/apply/fieldSet.ts'
import { updateManagedFields } from '../patch/apply/updateManagedFields.ts'
import { resetsStatus } from '../registry/beforeCreate.ts'
import { objectSchema } from '../registry/canonicalForm.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { Target } from './target.ts'
import type { WriteOptions } from './writeOptions.ts'

/** Who set which fields, kept with the object at each write of a client. Source: reference 3.11 – 3.13. */
export interface FieldManagement {
  /** `next` with the managers it has after this write; `live` undefined: it is new. Neither is changed. */
  updated(live: ApiObject | undefined, next: ApiObject): ApiObject
  /** What server-side apply makes of `live` and a configuration. @throws StatusError. */
  applied(live: ApiObject | undefined, config: ApiObject): ApiObject
}

const statusFields = fieldSetOf(['f:status'])
const specFields = fieldSetOf(['f:spec'])

export function fieldManagement(
  { resource, store, subresource }: Target,
  { fieldManager: manager, force }: WriteOptions,
): FieldManagement {
  const { group, version, kind, schema } = resource
  const resetFields = resetFieldsOf(resource, subresource?.name)
  const context: ApplyContext = {
    group,
    version,
    kind,
    schema: objectSchema(schema),
    now: formatTime(store.options.clock.now()),
    emptyObject: emptyObject(resource, store.apiVersion),
    ...(subresource === undefined ? {} : { subresource: subresource.name }),
    ...(resetFields === undefined ? {} : { resetFields }),
  }
  return {
    updated: (live, next) => updateManagedFields(live, next, manager, context),
    applied: (live, config) => applyObject(live, config, { manager, force }, context),
  }
}

/** What is written through one endpoint is not owned through the other. */
function resetFieldsOf(resource: ResourceDefinition, subresource: string | undefined) {
  if (subresource === 'status') return specFields
  return resetsStatus(resource) ? statusFields : undefined
}

/** A kind with a spec and a status always has both. */
function emptyObject({ kind, schema }: ResourceDefinition, apiVersion: string): ApiObject {
  const structs = ['spec', 'status'].filter((name) => schema.properties?.[name] !== undefined)
  return {
    kind,
    apiVersion,
    metadata: {},
    ...Object.fromEntries(structs.map((name) => [name, {}])),
  }
}
