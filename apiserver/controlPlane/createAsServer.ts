import { withCreator } from '../endpoints/write/answeredFields.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'

/** Field manager of the objects that the server creates when it starts. Source: seen on kube-apiserver 1.37.2. */
const serverManager = 'kube-apiserver'

/** Creates an initial object. Changes the object. @throws StatusError if it exists or is invalid. */
export type Create = (store: Store, object: ApiObject, fieldManager?: string) => Promise<void>

/** Creates an object without managed fields, which would make an idle plane half as large again. */
export const createUntracked: Create = async (store, object) => {
  await store.create(object, systemContext())
}

/**
 * Creates an object as the server itself, with managed fields, so that later writes by clients are tracked. Changes
 * `object`.
 * @throws StatusError if it exists or is invalid.
 */
export async function createAsServer(
  store: Store,
  object: ApiObject,
  fieldManager = serverManager,
): Promise<void> {
  const { resource, options } = store
  resource.strategy.setDefaults?.(object)
  const managed = withCreator(object, { resource }, { fieldManager }, options.clock.now())
  await store.create(managed, systemContext())
}

/** Object whose conditions `manager` applied when the object was created. */
export function withAppliedConditions(object: ApiObject, manager: string): ApiObject {
  const { apiVersion, metadata } = object
  const { conditions } = object['status'] as { conditions: readonly { type: string }[] }
  const fields: Record<string, object> = {}
  for (const condition of conditions) {
    const given = Object.entries(condition).filter(([, value]) => value !== '')
    const names = given.map(([name]): [string, object] => [`f:${name}`, {}]).sort()
    const key = `k:${JSON.stringify({ type: condition.type })}`
    fields[key] = { '.': {}, ...Object.fromEntries(names) }
  }
  const entry = {
    ...{ manager, operation: 'Apply', apiVersion, time: metadata.creationTimestamp ?? '' },
    ...{ fieldsType: 'FieldsV1', fieldsV1: { 'f:status': { 'f:conditions': fields } } },
    subresource: 'status',
  }
  const managedFields = [entry, ...(metadata.managedFields ?? [])]
  return { ...object, metadata: { ...metadata, managedFields } }
}
