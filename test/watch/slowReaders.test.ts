import { expect } from 'chai'
import type { Store } from '../../apiserver/registry/store.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { eventually, turns } from '../support/eventually.ts'
import { create, type Stores } from '../support/stores.ts'
import { thing } from '../support/thing.ts'
import { RecordingSink } from './recordingSink.ts'
import { cacheOf, watch } from './watches.ts'
import { useWatchedThings } from './watchedThings.ts'

const minuteMs = 60_000

/** Reader that accepts nothing any more, so that the end never reaches it. */
class StuckSink extends RecordingSink {
  override end(): void {
    this.isEnded = true
  }
}

describe('slow readers of a watch', () => {
  const things = useWatchedThings()
  const { make, seen, pass } = things
  let stores: Stores
  let store: Store
  let cache: WatchCache

  beforeEach(() => {
    ;({ stores, store, cache } = things.current())
  })

  describe('a slow reader (reference 5.9)', () => {
    it('gets no writes until it drains, and misses nothing', async () => {
      const { sink } = watch(cache, store)
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await make('b', 'c')
      await turns()
      expect(sink.texts).to.deep.equal(['ADDED a@1'])
      sink.drain()
      expect(sink.texts).to.deep.equal(['ADDED a@1', 'ADDED b@2', 'ADDED c@3'])
    })
    it('does not delay the others', async () => {
      const slow = watch(cache, store).sink
      const fast = watch(cache, store).sink
      slow.isFull = true
      await make('a')
      await seen(fast, 1)
      await make('b')
      await seen(fast, 2)
      expect([slow.texts.length, fast.texts]).to.deep.equal([1, ['ADDED a@1', 'ADDED b@2']])
    })
    it('during the initial events: resumes where it was, with the end bookmark last', async () => {
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          create(store, thing(`t${at}`, { annotations: { big: 'x'.repeat(20_000) } })),
        ),
      )
      const initial = [...cache.all()]
      const sink = new RecordingSink()
      sink.isFull = true
      const start = { revision: 40, initial, marksInitialEnd: true }
      watch(cache, store, { start, sink, allowBookmarks: true })
      expect(sink.texts.length).to.be.lessThan(40)
      await make('z')
      while (sink.texts.length < 41) {
        sink.isFull = true
        sink.drain()
      }
      await seen(sink, 42)
      expect(sink.texts.slice(-2)).to.deep.equal(['BOOKMARK @40 end', 'ADDED z@41'])
      expect(new Set(sink.texts).size).to.equal(42)
    })
    it('for more than a minute: ends without an event, and is counted', async () => {
      const { sink } = watch(cache, store)
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await pass(minuteMs)
      expect([sink.isEnded, cache.counts.terminated]).to.deep.equal([false, 0])
      await pass(2_000)
      expect([sink.texts, sink.isEnded]).to.deep.equal([['ADDED a@1'], true])
      expect(cache.counts.terminated).to.equal(1)
    })
    it('for more than a minute, not even reading the end: is cut off, so that no memory is kept for it (reference 5.9)', async () => {
      const sink = new StuckSink()
      watch(cache, store, { sink })
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await pass(minuteMs + 2_000)
      expect([sink.isEnded, sink.isCutOff]).to.deep.equal([true, false])
      await pass(10_000)
      expect(sink.isCutOff).to.equal(true)
    })
    it('while the ring drops unread events: resumes from history, and misses nothing', async () => {
      const small = cacheOf(store, { maxEvents: 2 })
      await small.warm()
      const { sink } = watch(small, store)
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await make('b', 'c', 'd')
      sink.drain()
      await seen(sink, 4)
      expect([sink.texts, sink.isEnded]).to.deep.equal([
        ['ADDED a@1', 'ADDED b@2', 'ADDED c@3', 'ADDED d@4'],
        false,
      ])
      small.close()
    })
    it('while history is compacted too: ends without an event', async () => {
      const small = cacheOf(store, { maxEvents: 2 })
      await small.warm()
      const { sink } = watch(small, store)
      sink.isFull = true
      await make('a')
      await seen(sink, 1)
      await make('b', 'c', 'd')
      await stores.storage.compact(3)
      sink.drain()
      await eventually(stores.clock, () => sink.isEnded)
      expect([sink.texts, small.counts.terminated]).to.deep.equal([['ADDED a@1'], 1])
      small.close()
    })
  })

  describe('memory kept for slow readers', () => {
    let held: number[]

    beforeEach(() => {
      held = []
    })

    const counting = (frames: Buffer, more: number) => {
      held.push(frames.length + more)
      return () => void held.pop()
    }

    it('is counted until the reader drains or disconnects', async () => {
      const sink = new RecordingSink()
      watch(cache, store, { sink, hold: counting })
      await make('a')
      await seen(sink, 1)
      expect(held.length).to.equal(0)
      sink.isFull = true
      await make('b')
      await seen(sink, 2)
      expect(held.length).to.equal(1)
      sink.drain()
      expect(held.length).to.equal(0)
      sink.isFull = true
      await make('c')
      await seen(sink, 3)
      sink.leave()
      expect(held.length).to.equal(0)
    })

    it('includes the rest of the initial objects', async () => {
      await make('a', 'b')
      const sink = new RecordingSink()
      sink.isFull = true
      const initial = [...cache.all()]
      watch(cache, store, { sink, hold: counting, start: { revision: cache.revision, initial } })
      expect(held[0]).to.be.greaterThan(8 * initial.length)
    })

    it('is bounded by cutting the reader off', async () => {
      const sink = new RecordingSink()
      sink.isFull = true
      watch(cache, store, { sink, hold: () => undefined })
      await make('a')
      await eventually(stores.clock, () => sink.isCutOff)
      await make('b')
      await turns(10)
      expect([sink.texts, sink.isEnded]).to.deep.equal([['ADDED a@1'], false])
    })
  })
})
