import { expect } from 'chai'
import fc from 'fast-check'
import type { Store } from '../../apiserver/registry/store.ts'
import type { WatchCache } from '../../apiserver/watch/watchCache.ts'
import { eventually, turns } from '../support/eventually.ts'
import type { FakeClock } from '../support/fakes/fakeClock.ts'
import { create, openStores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import { RecordingSink } from './recordingSink.ts'
import { cacheOf, watch } from './watches.ts'

type Step =
  | { does: 'join'; slow: number; isFull: boolean; within?: 'leave' | 'leaveOther' | 'join' }
  | { does: 'write'; count: number }
  | { does: 'leave' | 'stall' | 'drain'; which: number }
  | { does: 'jump'; ms: number }
  | { does: 'turn' }

/** Reader that changes the hub during the write of its second event. */
class MeddlingSink extends RecordingSink {
  readonly #clock: FakeClock
  readonly #slow: number
  readonly #meddle: () => void
  isGone = false

  constructor(clock: FakeClock, slow: number, meddle: (self: MeddlingSink) => void) {
    super()
    this.#clock = clock
    this.#slow = slow
    this.#meddle = () => meddle(this)
  }

  override write(frames: Buffer): boolean {
    if (this.isGone) return false
    this.#clock.jumpTo(this.#clock.now() + this.#slow)
    super.write(frames)
    if (this.texts.length === 2) this.#meddle()
    return !this.isFull
  }

  override leave(): void {
    this.isGone = true
    super.leave()
  }
}

/** Watchers of one hub, and the revision at which each joined. */
class Crowd {
  readonly joined: { sink: MeddlingSink; from: number }[] = []
  readonly #written: number[] = []
  #count = 0
  readonly #cache: WatchCache
  readonly #store: Store
  readonly #clock: FakeClock

  constructor(cache: WatchCache, store: Store, clock: FakeClock) {
    this.#cache = cache
    this.#store = store
    this.#clock = clock
  }

  async take(step: Step): Promise<void> {
    if (step.does === 'join') this.#join(step)
    else if (step.does === 'write') await this.#write(step.count)
    else if (step.does === 'jump') this.#clock.jumpTo(this.#clock.now() + step.ms)
    else if (step.does === 'turn') await turns(1)
    else this.#do(step.does, step.which)
  }

  /** Lets all readers receive everything; nothing more is written. */
  drainAll(): void {
    for (const { sink } of this.joined) sink.drain()
  }

  get isTold(): boolean {
    return this.joined.every(
      ({ sink, from }) =>
        sink.isGone || sink.texts.length === this.#written.filter((one) => one > from).length,
    )
  }

  #join({ slow, isFull, within }: Step & { does: 'join' }): void {
    const sink = new MeddlingSink(this.#clock, slow, (self) => {
      if (within === 'leave') self.leave()
      else if (within === 'leaveOther') this.#do('leave', 0)
      else if (within === 'join') this.#join({ does: 'join', slow, isFull })
    })
    sink.isFull = isFull
    this.joined.push({ sink, from: this.#cache.revision })
    watch(this.#cache, this.#store, { sink })
  }

  async #write(count: number): Promise<void> {
    const names = Array.from({ length: count }, () => `t${this.#count++}`)
    const created = await Promise.all(names.map((name) => create(this.#store, thing(name))))
    this.#written.push(...created.map(({ metadata }) => Number(metadata.resourceVersion)))
  }

  #do(what: 'leave' | 'stall' | 'drain', which: number): void {
    const here = this.joined.filter(({ sink }) => !sink.isGone)
    const sink = here[which % Math.max(1, here.length)]?.sink
    if (what === 'stall' && sink !== undefined) sink.isFull = true
    else if (what === 'drain') sink?.drain()
    else if (what === 'leave') sink?.leave()
  }
}

const which = fc.nat(40)
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant('turn' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          does: fc.constant('join' as const),
          slow: fc.constantFrom(0, 1, 5),
          isFull: fc.boolean(),
          within: fc.constantFrom('leave' as const, 'leaveOther' as const, 'join' as const),
        },
        { requiredKeys: ['does', 'slow', 'isFull'] },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('write' as const),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constantFrom('leave' as const, 'stall' as const, 'drain' as const),
        which,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('jump' as const),
        ms: fc.integer({ min: -20_000, max: 20_000 }),
      }),
    },
  ),
  { maxLength: 60 },
)

describe('WatchHub under random load', () => {
  for (const maxEvents of [1_000, 3]) {
    it(`leaves no watcher behind, with ${maxEvents} events in memory (reference 5.3)`, async () => {
      const property = fc.asyncProperty(steps, async (taken) => {
        const stores = await openStores()
        const store = stores.storeOf(thingResource())
        const cache = cacheOf(store, { maxEvents })
        await cache.warm()
        const crowd = new Crowd(cache, store, stores.clock)
        for (const step of taken) await crowd.take(step)
        crowd.drainAll()
        await eventually(stores.clock, () => crowd.isTold)
        for (const { sink } of crowd.joined) {
          const revisions = sink.texts.map((text) => Number(text.split('@')[1]))
          expect(revisions).to.deep.equal([...new Set(revisions)].sort((a, b) => a - b))
        }
        cache.close()
        await stores.close()
      })
      await fc.assert(property, { numRuns: 60 })
    })
  }
})
