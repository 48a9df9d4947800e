import { expect } from 'chai'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { create, openStores, put, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { cacheOf } from './watches.ts'

describe('WatchCache (reference 10.6)', () => {
  let stores: Stores
  let store: Store
  let cache: WatchCache

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
    cache = cacheOf(store)
  })

  afterEach(async () => {
    cache.close()
    await stores.close()
  })

  const revisions = () => [...cache.all()].map(({ revision }) => revision)

  it('is filled once for concurrent callers, and follows writes made meanwhile', async () => {
    await create(store, thing('a'))
    const [first, second] = [cache.warm(), cache.warm()]
    expect(first).to.equal(second)
    await Promise.all([first, create(store, thing('b'))])
    expect([cache.isWarm, cache.size, revisions()]).to.deep.equal([true, 2, [1, 2]])
  })

  it('shows a writer its own write in the turn of the acknowledgement', async () => {
    await cache.warm()
    await create(store, thing('a'))
    expect(revisions()).to.deep.equal([1])
    await put(store, thing('a', { spec: { size: 1 } }))
    expect(revisions()).to.deep.equal([2])
    await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
    expect(revisions()).to.deep.equal([])
  })

  it('ignores kinds whose path only has the same prefix', async () => {
    await cache.warm()
    await create(stores.storeOf({ ...thingResource(), plural: 'thingsets' }), thing('a'))
    expect(cache.size).to.equal(0)
  })

  it('notifies listeners of each change in order, until they are removed', async () => {
    await cache.warm()
    const changes: string[] = []
    const stop = cache.onChange(({ revision, entry, previous }) => {
      changes.push(`${revision} ${previous?.revision ?? 'none'} ${entry?.revision ?? 'none'}`)
    })
    await create(store, thing('a'))
    await put(store, thing('a', { spec: { size: 1 } }))
    await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
    stop()
    await create(store, thing('b'))
    expect(changes).to.deep.equal(['1 none 1', '2 1 2', '3 2 none'])
  })

  it('knows whether any of its objects changed since a revision', async () => {
    await create(store, thing('a'))
    await cache.warm()
    await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('a'))
    expect([0, 1, 2].map((revision) => cache.isUnchangedSince(revision))).to.deep.equal([
      false,
      true,
      true,
    ])
    await create(store, thing('b'))
    expect([1, 2, 3].map((revision) => cache.isUnchangedSince(revision))).to.deep.equal([
      false,
      false,
      true,
    ])
  })

  it('keeps no more changes than history, except the newest hundred', async () => {
    await cache.warm()
    await Promise.all(Array.from({ length: 150 }, (_, at) => create(store, thing(`n${at}`))))
    const countAt = (revision: number) => cache.countAt(revision, store.keyPrefix, store.keyPrefix)
    expect([0, 40, 51].map(countAt)).to.deep.equal([0, 40, 51])
    await stores.storage.compact(45)
    await create(store, thing('last'))
    expect([0, 44, 45, 51].map(countAt)).to.deep.equal([undefined, undefined, 45, 51])
    await stores.storage.compact(140)
    await create(store, thing('over'))
    expect([51, 52].map(countAt)).to.deep.equal([undefined, 52])
  })

  it('a returned LIST body is not changed by later writes', async () => {
    await cache.warm()
    for (const name of ['a', 'b']) await create(store, thing(name))
    const body = () => Buffer.concat(cache.snapshot().segments(store.keyPrefix)).toString()
    const segments = cache.snapshot().segments(store.keyPrefix)
    const before = body()
    await put(store, thing('a', { spec: { size: 1 } }))
    expect(Buffer.concat(segments).toString()).to.equal(before)
    expect(body()).to.not.equal(before)
  })
})
