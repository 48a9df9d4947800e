import { expect } from 'chai'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import type { FrameEncoder } from '../../apiserver/watch/frameEncoder.ts'
import type { WatchStart } from '../../apiserver/watch/watcher.ts'
import { eventually, turns } from '../support/eventually.ts'
import { keepBusy, longestTurn } from '../support/longestTurn.ts'
import { change, create, type Stores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { RecordingSink } from './recordingSink.ts'
import { cacheOf, hourMs, watch, watchRequest } from './watches.ts'
import { useWatchedThings } from './watchedThings.ts'

const minuteMs = 60_000

describe('Watcher', () => {
  const things = useWatchedThings()
  const { make, seen, pass } = things
  let stores: Stores
  let store: Store
  let cache: WatchCache

  beforeEach(() => {
    ;({ stores, store, cache } = things.current())
  })

  it('writes accumulated events in one piece (reference 5.3)', async () => {
    const { sink } = watch(cache, store)
    await Promise.all(Array.from({ length: 50 }, (_, at) => create(store, thing(`t${at}`))))
    await seen(sink, 50)
    expect(sink.writes).to.be.lessThan(5)
  })

  it('watchers end at their own times, by a single timer (reference 5.1)', async () => {
    const timers = stores.clock.timers
    const times = [2_500, 700, 1_000, 60_000]
    const sinks = times.map((timeoutMs) => watch(cache, store, { timeoutMs }).sink)
    expect(stores.clock.timers).to.equal(timers + 1)
    const ended = () => sinks.map(({ isEnded }) => isEnded)
    const steps: [ms: number, want: boolean[]][] = [
      [699, [false, false, false, false]],
      [1, [false, true, false, false]],
      [300, [false, true, true, false]],
      [1_499, [false, true, true, false]],
      [1, [true, true, true, false]],
    ]
    for (const [ms, want] of steps) {
      stores.clock.advance(ms)
      expect(ended()).to.deep.equal(want)
    }
    expect(stores.clock.timers).to.equal(timers + 1)
  })

  it('ends cleanly at its timeout, without an event, and leaves no timer (reference 5.1)', async () => {
    const { sink } = watch(cache, store, { timeoutMs: 5_000 })
    const before = stores.clock.timers
    await pass(4_999)
    expect(sink.isEnded).to.equal(false)
    stores.clock.advance(1)
    expect([sink.isEnded, sink.texts]).to.deep.equal([true, []])
    stores.clock.advance(1_000)
    expect([cache.watcherCount, stores.clock.timers < before]).to.deep.equal([0, true])
  })

  it('a disconnected reader is removed, and gets no more writes', async () => {
    const { sink } = watch(cache, store)
    sink.leave()
    await make('a')
    await turns()
    expect([cache.watcherCount, sink.texts]).to.deep.equal([0, []])
  })

  describe('of events that are slow to encode', () => {
    const count = 30
    const eventMs = 10

    /** Starts a watch whose events take `eventMs` each. */
    function slowWatch(start: WatchStart): RecordingSink {
      const request = watchRequest(cache, store, { start })
      const { encoder } = request
      const slow: FrameEncoder = {
        ...encoder,
        key: 'slow',
        event: (...of) => {
          keepBusy(eventMs)
          return encoder.event(...of)
        },
      }
      const sink = new RecordingSink()
      cache.subscribe({ ...request, encoder: slow }, sink)
      return sink
    }

    const makeMany = () =>
      Promise.all(Array.from({ length: count }, (_, at) => create(store, thing(`t${at}`))))

    for (const { from, ring } of [
      { from: 'the newest changes', ring: {} },
      { from: 'history', ring: { maxEvents: 1 } },
    ]) {
      it(`gives way to other work every few milliseconds, with events from ${from}`, async () => {
        cache.close()
        cache = cacheOf(store, ring)
        await cache.warm()
        await makeMany()
        const longest = await longestTurn(() => seen(slowWatch({ revision: 0 }), count))
        expect(longest).to.be.lessThan((count * eventMs) / 2)
      })
    }

    it('ends after the changes before the end of the cache', async () => {
      const sink = slowWatch({ revision: cache.revision })
      await makeMany()
      cache.close()
      await eventually(stores.clock, () => sink.isEnded)
      expect(sink.texts).to.have.length(count)
    })
  })

  it('ends with the cache', () => {
    const { sink } = watch(cache, store)
    cache.close()
    expect([sink.isEnded, cache.watcherCount]).to.deep.equal([true, 0])
  })

  describe('bookmarks (reference 5.7)', () => {
    it('about every minute, and only after changes', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true })
      await pass(3 * minuteMs)
      expect(sink.texts).to.deep.equal([])
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(2_000)
      expect(sink.texts).to.deep.equal(['BOOKMARK @1'])
      await pass(3 * minuteMs)
      expect(sink.texts).to.deep.equal(['BOOKMARK @1'])
      await make('a')
      await seen(sink, 2)
      await pass(minuteMs)
      expect(sink.texts).to.deep.equal(['BOOKMARK @1', 'ADDED a@2', 'BOOKMARK @2'])
    })
    it('hold kind, apiVersion and the revision only', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(minuteMs)
      expect(sink.events).to.deep.equal([
        {
          type: 'BOOKMARK',
          object: {
            kind: 'Thing',
            apiVersion: 'example.dev/v1',
            metadata: { resourceVersion: '1' },
          },
        },
      ])
    })
    it('two seconds before the end', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true, timeoutMs: 30_000 })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(27_000)
      expect(sink.texts).to.deep.equal([])
      await pass(1_000)
      expect(sink.texts).to.deep.equal(['BOOKMARK @1'])
    })
    it('once before the end, however much comes then', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true, timeoutMs: 30_000 })
      const others = stores.storeOf({ ...thingResource(), plural: 'others' })
      await create(others, thing('x'))
      await pass(28_000)
      await create(others, thing('y'))
      await pass(2_000)
      expect(sink.texts).to.deep.equal(['BOOKMARK @1'])
    })
    it('none in less than five seconds', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true, timeoutMs: 4_000 })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(4_000)
      expect([sink.texts, sink.isEnded]).to.deep.equal([[], true])
    })
    it('none unless allowed', async () => {
      const { sink } = watch(cache, store, { timeoutMs: 5 * minuteMs })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(5 * minuteMs)
      expect(sink.texts).to.deep.equal([])
    })
    it('never before pending events', async () => {
      const { sink } = watch(cache, store, { allowBookmarks: true })
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await make('b')
      stores.clock.advance(30_000)
      await pass(29_000)
      expect(sink.texts).to.deep.equal(['ADDED a@1'])
      sink.drain()
      await pass(2_000)
      expect(sink.texts).to.deep.equal(['ADDED a@1', 'ADDED b@2', 'BOOKMARK @2'])
    })
    it('the initial one is marked once, later ones are plain', async () => {
      await make('a')
      const start = { revision: 1, initial: [...cache.all()], marksInitialEnd: true }
      const { sink } = watch(cache, store, { allowBookmarks: true, start })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('x'))
      await pass(minuteMs)
      expect(sink.texts).to.deep.equal(['ADDED a@1', 'BOOKMARK @1 end', 'BOOKMARK @2'])
    })
  })

  it('a burst larger than the ring ends no up-to-date watcher (reference 5.9)', async () => {
    const small = cacheOf(store, { maxEvents: 10 })
    await small.warm()
    const { sink } = watch(small, store)
    const names = Array.from({ length: 200 }, (_, at) => `t${at}`)
    await Promise.all(names.map((name) => create(store, thing(name))))
    await seen(sink, 200)
    expect(sink.texts).to.deep.equal(names.map((name, at) => `ADDED ${name}@${at + 1}`))
    await make('last')
    await seen(sink, 201)
    small.close()
  })

  describe('a start before the ring (reference 5.2)', () => {
    let small: WatchCache

    beforeEach(() => {
      small = cacheOf(store, { maxEvents: 2 })
    })

    afterEach(() => small.close())

    it("is read from the storage's history, without a gap or a repeat", async () => {
      await small.warm()
      await make('a', 'b', 'c', 'd', 'e')
      const { sink } = watch(small, store, { start: { revision: 1 } })
      await make('f')
      await seen(sink, 5)
      await turns()
      expect(sink.texts).to.deep.equal([
        'ADDED b@2',
        'ADDED c@3',
        'ADDED d@4',
        'ADDED e@5',
        'ADDED f@6',
      ])
    })
    it('continues to the ring while writes commit during the catch-up (reference 5.10)', async () => {
      const count = 1_300
      await Promise.all(Array.from({ length: count }, (_, at) => create(store, thing(`t${at}`))))
      small = cacheOf(store, { maxEvents: 300 })
      await small.warm()
      const { sink } = watch(small, store, { start: { revision: 0 } })
      for (let at = 0; at < 200; at++) await create(store, thing(`u${at}`))
      await seen(sink, count + 200)
      await turns()
      const revisions = sink.events.map(({ object }) => Number(object.metadata.resourceVersion))
      expect(revisions).to.deep.equal(Array.from({ length: count + 200 }, (_, at) => at + 1))
    })
    it('without changes since reads history once', async () => {
      const other = stores.storeOf({ ...thingResource(), plural: 'others' })
      for (const name of ['a', 'b', 'c']) await create(other, thing(name))
      let reads = 0
      const changes = stores.storage.changes.bind(stores.storage)
      stores.storage.changes = (...given) => (reads++, changes(...given))
      small = cacheOf(store)
      await small.warm()
      const sinks: RecordingSink[] = []
      for (const revision of [1, 1, 2]) {
        sinks.push(watch(small, store, { start: { revision } }).sink)
        await turns(5)
      }
      await make('d')
      for (const sink of sinks) await seen(sink, 1)
      expect([reads, ...sinks.map(({ texts }) => texts)]).to.deep.equal([
        1,
        ...sinks.map(() => ['ADDED d@4']),
      ])
    })
    it('waits for a slow reader between pages', async () => {
      await Promise.all(Array.from({ length: 700 }, (_, at) => create(store, thing(`t${at}`))))
      await small.warm()
      const sink = new RecordingSink()
      sink.isFull = true
      watch(small, store, { start: { revision: 0 }, sink })
      await seen(sink, 500)
      await turns(20)
      expect(sink.texts.length).to.equal(500)
      sink.drain()
      await seen(sink, 700)
    })
    it('that is compacted: 410 Expired with the oldest revision left', async () => {
      await make('a', 'b', 'c')
      await stores.storage.compact(2)
      await small.warm()
      const { sink } = watch(small, store, { start: { revision: 1 } })
      await eventually(stores.clock, () => sink.isEnded)
      expect(sink.texts).to.deep.equal(['ERROR 410 Expired too old resource version: 1 (2)'])
    })
    it('at the compacted revision itself: the events after it', async () => {
      await make('a', 'b', 'c')
      await stores.storage.compact(2)
      await small.warm()
      const { sink } = watch(small, store, { start: { revision: 2 } })
      await seen(sink, 1)
      expect(sink.texts).to.deep.equal(['ADDED c@3'])
    })
    it('a reader that disconnects meanwhile gets no more writes', async () => {
      await make('a', 'b', 'c')
      await small.warm()
      const { sink } = watch(small, store, { start: { revision: 0 } })
      sink.leave()
      await turns(10)
      expect([sink.texts, small.watcherCount]).to.deep.equal([[], 0])
    })
    it('ended while the storage is closed: ERROR and the end, without an exception', async () => {
      await make('a', 'b', 'c')
      await small.warm()
      await stores.storage.close()
      const { sink } = watch(small, store, { start: { revision: 0 } })
      await eventually(stores.clock, () => sink.isEnded)
      expect(sink.texts).to.deep.equal([
        'ERROR 500 InternalError Internal error occurred: the storage is closed',
      ])
    })
    it('selectors use the previous content of an object', async () => {
      await create(store, thing('a', { labels: { on: 'yes' } }))
      await change(store, { namespace: 'default', name: 'a' }, ({ metadata }) => {
        delete metadata.labels
      })
      await change(store, { namespace: 'default', name: 'a' }, ({ metadata }) => {
        metadata.labels = { on: 'yes' }
      })
      await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
      await small.warm()
      const { sink } = watch(small, store, { start: { revision: 1 }, labels: 'on' })
      await seen(sink, 3)
      expect(sink.texts).to.deep.equal(['DELETED a@2', 'ADDED a@3', 'DELETED a@4'])
    })
  })

  it('only the first event of a Table stream has the columns (reference 5.8)', async () => {
    const first = watch(cache, store, { table: true }).sink
    await make('a')
    await seen(first, 1)
    const second = watch(cache, store, { table: true, start: { revision: 0 } }).sink
    await make('b')
    await seen(first, 2)
    await seen(second, 2)
    const named = ({ events }: RecordingSink) =>
      events.map(({ object }) => object['columnDefinitions'] !== null)
    expect([named(first), named(second)]).to.deep.equal([
      [true, false],
      [true, false],
    ])
  })

  it('watchers with the same selector and encoding share their frames (reference 10.1)', async () => {
    const sinks = Array.from({ length: 3 }, () => new SharedSink())
    for (const sink of sinks) watch(cache, store, { sink, labels: '!x', timeoutMs: hourMs })
    await make('a', 'b')
    await eventually(stores.clock, () => sinks.every((sink) => sink.texts.length === 2))
    expect(new Set(sinks.flatMap((sink) => sink.buffers)).size).to.equal(sinks[0]?.buffers.length)
  })
})

/** Reader that also keeps the buffers. */
class SharedSink extends RecordingSink {
  readonly buffers: Buffer[] = []

  override write(frames: Buffer): boolean {
    this.buffers.push(frames)
    return super.write(frames)
  }
}
