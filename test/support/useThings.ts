import type { Store } from '../../apiserver/registry/store.ts'
import type { Change } from '../../apiserver/storage/storage.ts'
import { openStores, type Stores } from './stores.ts'
import { thingResource } from './thing.ts'

/** A store of things, new for each test. */
export function useThings() {
  let things: { stores: Stores; store: Store } | undefined

  const current = () => {
    if (things === undefined) throw new Error('there are only things during a test')
    return things
  }

  beforeEach(async () => {
    const stores = await openStores()
    things = { stores, store: stores.storeOf(thingResource()) }
  })

  afterEach(() => current().stores.close())

  return {
    current,
    /** All later changes of the storage. */
    follow: async (): Promise<Change[]> => {
      const { storage } = current().stores
      const changes: Change[] = []
      await storage.watch('', storage.revision, (some) => changes.push(...some))
      return changes
    },
  }
}
