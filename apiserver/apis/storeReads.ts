import { hasReason } from '../meta/status.ts'
import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'

/** Every object of a store, or of one namespace of it, by key. */
export async function allObjects(store: Store, namespace?: string): Promise<ApiObject[]> {
  await store.cache.warm()
  const prefix = namespace === undefined ? store.keyPrefix : `${store.keyPrefix}${namespace}/`
  return [...store.cache.all(prefix)].map((entry) => entry.object())
}

/** The newest state of an object; undefined: it does not exist. */
export function objectIfAny(store: Store, target: ObjectName): ApiObject | undefined {
  try {
    return store.newest(target).object
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}
