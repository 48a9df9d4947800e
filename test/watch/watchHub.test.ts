import { expect } from 'chai'
import type { Store } from '../../apiserver/registry/store.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { eventually } from '../support/eventually.ts'
import type { FakeClock } from '../support/fakes/fakeClock.ts'
import { create, openStores, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { RecordingSink } from './recordingSink.ts'
import { cacheOf, watch, watchRequest } from './watches.ts'

/** Reader with slow writes, after which a fan-out yields. */
class SlowSink extends RecordingSink {
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    super()
    this.#clock = clock
  }

  override write(frames: Buffer): boolean {
    this.#clock.advance(5)
    return super.write(frames)
  }
}

describe('WatchHub', () => {
  let stores: Stores
  let store: Store
  let cache: WatchCache

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
    cache = cacheOf(store)
    await cache.warm()
  })

  afterEach(async () => {
    cache.close()
    await stores.close()
  })

  const begin = (count: number) =>
    Array.from({ length: count }, () => watch(cache, store, { sink: new SlowSink(stores.clock) }))

  const told = (sinks: readonly { sink: RecordingSink }[], count: number): Promise<void> =>
    eventually(stores.clock, () => sinks.every(({ sink }) => sink.texts.length >= count))

  it('a fan-out yields to writers, and sends late watchers their writes in one piece (reference 5.3)', async () => {
    const watches = begin(100)
    await create(store, thing('a'))
    await told(watches.slice(0, 1), 1)
    await create(store, thing('b'))
    expect(watches[99]?.sink.writes, 'the fan-out is under way').to.equal(0)
    await told(watches, 2)
    expect(new Set(watches.map(({ sink }) => sink.texts.join()))).to.have.length(1)
    expect(watches[0]?.sink.writes).to.equal(2)
    expect(watches[99]?.sink.writes).to.equal(1)
  })

  it('watches that open and close during a fan-out make it miss none (reference 5.3)', async () => {
    const watches = begin(20)
    await create(store, thing('a'))
    await told(watches.slice(0, 10), 1)
    await create(store, thing('b'))
    const [few, later] = [watches.splice(12, 4), begin(50)]
    for (const { sink } of few) sink.leave()
    expect(watches.at(-1)?.sink.writes, 'the fan-out is under way').to.equal(0)
    await told(watches, 2)
    await create(store, thing('c'))
    await told([...watches, ...later], 1)
    expect(new Set(later.map(({ sink }) => sink.texts.length))).to.deep.equal(new Set([1]))
  })

  it('an object that cannot be encoded for a stream ends only that stream, with an ERROR (reference 5.3)', async () => {
    const sink = new RecordingSink()
    const { encoder, ...request } = watchRequest(cache, store)
    const event = (): Buffer => {
      throw new Error('no words for it')
    }
    cache.subscribe({ ...request, encoder: { ...encoder, key: 'broken', event } }, sink)
    const others = begin(1)
    await create(store, thing('a'))
    await told(others, 1)
    expect(sink.texts).to.deep.equal([
      'ERROR 500 InternalError Internal error occurred: no words for it',
    ])
    expect(sink.isEnded).to.equal(true)
    await create(store, thing('b'))
    await told(others, 2)
  })
})
