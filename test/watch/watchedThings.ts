import type { Store } from '../../apiserver/registry/store.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { eventually, turns } from '../support/eventually.ts'
import { create, openStores, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import type { RecordingSink } from './recordingSink.ts'
import { cacheOf } from './watches.ts'

export interface WatchedThings {
  stores: Stores
  store: Store
  cache: WatchCache
}

/** Things and their warm cache, new for each test. */
export function useWatchedThings() {
  let things: WatchedThings | undefined

  const current = (): WatchedThings => {
    if (things === undefined) throw new Error('there are only things during a test')
    return things
  }

  beforeEach(async () => {
    const stores = await openStores()
    const store = stores.storeOf(thingResource())
    const cache = cacheOf(store)
    things = { stores, store, cache }
    await cache.warm()
  })

  afterEach(async () => {
    const { cache, stores } = current()
    cache.close()
    await stores.close()
  })

  return {
    current,
    make: async (...names: string[]): Promise<void> => {
      for (const name of names) await create(current().store, thing(name))
    },
    seen: (sink: RecordingSink, count: number): Promise<void> =>
      eventually(current().stores.clock, () => sink.texts.length >= count),
    /** Advances second by second, each with its turn. */
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 1_000) {
        current().stores.clock.advance(Math.min(1_000, left))
        await turns(1)
      }
    },
  }
}
