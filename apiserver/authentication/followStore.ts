import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'

/**
 * Calls `set` for every object of a cluster-scoped store, then for each change in the turn in which
 * it is acknowledged. Arguments are the name and the object, which is undefined after a deletion.
 */
export async function followStore(
  { cache, keyPrefix }: Store,
  set: (name: string, object: ApiObject | undefined) => void,
): Promise<void> {
  await cache.warm()
  cache.onChange(({ key, entry }) => set(key.slice(keyPrefix.length), entry?.object()))
  for (const entry of cache.all()) set(entry.key.slice(keyPrefix.length), entry.object())
}
