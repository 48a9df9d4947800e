import type { ApiObject } from '../meta/types.ts'
import type { Store } from '../registry/store.ts'

/** Tells `set` of every object of a store without namespaces, then of each change in the turn in which it is
 *  acknowledged: the name, and the object or undefined when it is gone. */
export async function followStore(
  { cache, keyPrefix }: Store,
  set: (name: string, object: ApiObject | undefined) => void,
): Promise<void> {
  await cache.warm()
  cache.onChange(({ key, entry }) => set(key.slice(keyPrefix.length), entry?.object()))
  for (const entry of cache.all()) set(entry.key.slice(keyPrefix.length), entry.object())
}
