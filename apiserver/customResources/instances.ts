import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import type { ObjectName } from '../registry/storeTypes.ts'
import { systemContext } from '../registry/systemContext.ts'

const deletesAtOnce = 200

/** Deletes all objects of a store; returns those that finalizers keep. */
export async function deleteInstances(store: Store): Promise<ApiObject[]> {
  await store.cache.warm()
  const keys = [...store.cache.all()].map(({ key }) => key)
  const remaining: ApiObject[] = []
  for (let at = 0; at < keys.length; at += deletesAtOnce) {
    const deletions = keys.slice(at, at + deletesAtOnce).map(async (key) => {
      const target = targetOf(key.slice(store.keyPrefix.length))
      const deleted = await store.delete(target, {}, systemContext()).catch(ignoreNotFound)
      return deleted === undefined || deleted.isGone ? [] : [deleted.object]
    })
    remaining.push(...(await Promise.all(deletions)).flat())
  }
  return remaining
}

function targetOf(path: string): ObjectName {
  const [first = '', second] = path.split('/')
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second }
}
