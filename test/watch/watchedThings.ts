import type { Store } from '../../apiserver/registry/store.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { eventually, turns } from '../support/eventually.ts'
import { create, type Stores } from '../support/stores.ts'
import { thing } from '../support/thing.ts'
import { useThings } from '../support/useThings.ts'
import type { RecordingSink } from './recordingSink.ts'
import { cacheOf } from './watches.ts'

export interface WatchedThings {
  stores: Stores
  store: Store
  cache: WatchCache
}

/** Things and their warm cache, new for each test. */
export function useWatchedThings() {
  let cache: WatchCache | undefined
  // The cache is closed before its storage, in the order of these lines.
  afterEach(() => cache?.close())
  const { current } = useThings()

  const watched = (): WatchedThings => {
    if (cache === undefined) throw new Error('there is only a cache during a test')
    return { ...current(), cache }
  }

  beforeEach(async () => {
    cache = cacheOf(current().store)
    await cache.warm()
  })

  return {
    current: watched,
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
