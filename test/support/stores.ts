import type { ApiObject } from '../../apiserver/meta/types.ts'
import { canonicalForm, objectSchema } from '../../apiserver/registry/schema/canonicalForm.ts'
import { decodeObject } from '../../apiserver/registry/objectBytes.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { Store } from '../../apiserver/registry/store.ts'
import type { WriteGuard, ObjectName, Written } from '../../apiserver/registry/storeTypes.ts'
import type { RequestContext } from '../../apiserver/registry/strategy.ts'
import { clientContext } from './contexts.ts'
import {
  LevelStorage,
  type LevelStorageOptions,
} from '../../apiserver/storage/level/levelStorage.ts'
import { FakeClock } from './fakes/fakeClock.ts'
import { FakeRandom } from './fakes/fakeRandom.ts'

/** Stores on LevelDB in memory, with a clock that stands still. */
export interface Stores {
  storage: LevelStorage
  clock: FakeClock
  random: FakeRandom
  storeOf(resource: ResourceDefinition): Store
  /** Stores without the in-memory state of the first ones, as after a restart. */
  restarted(): Stores
  close(): Promise<void>
}

export interface StoresOptions extends Partial<LevelStorageOptions> {
  admit?: WriteGuard
  random?: FakeRandom
}

export async function openStores(options: StoresOptions = {}): Promise<Stores> {
  const { admit = () => undefined, random = new FakeRandom(), ...rest } = options
  const clock = new FakeClock()
  const storage = await LevelStorage.open({ location: undefined, clock, ...rest })
  return overStorage({ storage, clock, random, admit })
}

interface Parts {
  storage: LevelStorage
  clock: FakeClock
  random: FakeRandom
  admit: WriteGuard
}

function overStorage(parts: Parts): Stores {
  const { storage, clock, random, admit } = parts
  const stores = new Map<ResourceDefinition, Store>()
  const storeOf = (resource: ResourceDefinition): Store => {
    let store = stores.get(resource)
    if (store === undefined) {
      const shared = { storage, clock, random, planePrefix: '/test/', admit, report: refuse }
      store = new Store({ resource, ...shared })
      stores.set(resource, store)
    }
    return store
  }
  const restarted = (): Stores => {
    for (const store of stores.values()) store.cache.close()
    return overStorage(parts)
  }
  const close = async (): Promise<void> => {
    for (const store of stores.values()) store.cache.close()
    await storage.close()
  }
  return { storage, clock, random, storeOf, restarted, close }
}

/** Fails the test on an error outside of requests. */
function refuse(error: unknown): void {
  throw error
}

/** `object` in the form of a decoded body. */
export function canonical(object: ApiObject, resource: ResourceDefinition): ApiObject {
  // canonicalForm returns an object for an object.
  return canonicalForm(object, objectSchema(resource.schema)).value as ApiObject
}

/** An object as a body of a write is decoded: strategies still see empty maps and lists, which are not stored. */
export function asWritten(object: ApiObject, resource: ResourceDefinition): ApiObject {
  const schema = objectSchema(resource.schema)
  // canonicalForm returns an object for an object.
  return canonicalForm(object, schema, { keepsEmpty: 'everywhere' }).value as ApiObject
}

export async function create(
  store: Store,
  object: ApiObject,
  context: RequestContext = clientContext(),
): Promise<ApiObject> {
  return shown(await store.create(canonical(object, store.resource), context))
}

/** Replaces the object of the same name by `object`, like a PUT. */
export async function put(
  store: Store,
  object: ApiObject,
  context: RequestContext = clientContext(),
): Promise<ApiObject> {
  const { uid } = object.metadata
  const request = {
    transform: () => canonical(object, store.resource),
    ...(uid === undefined ? {} : { uid }),
  }
  return shown(await store.update(nameOf(object), request, context))
}

/** Changes the newest state in place, like a patch. */
export async function change(
  store: Store,
  target: ObjectName,
  edit: (object: ApiObject) => void,
): Promise<ApiObject> {
  const transform = (old: ApiObject): ApiObject => {
    edit(old)
    return canonical(old, store.resource)
  }
  return shown(await store.update(target, { transform }, clientContext()))
}

export function nameOf({ metadata: { name = '', namespace = '' } }: ApiObject): ObjectName {
  return { name, namespace }
}

export function shown({ bytes }: Pick<Written, 'bytes'>): ApiObject {
  return decodeObject(bytes)
}
