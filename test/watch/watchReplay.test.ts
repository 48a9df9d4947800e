import { expect } from 'chai'
import fc from 'fast-check'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { decodeObject } from '../../apiserver/registry/objectBytes.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { Entry } from '../../apiserver/watch/cacheEntry.ts'
import { selects } from '../../apiserver/watch/watchFilter.ts'
import { eventually, turns } from '../support/eventually.ts'
import { change, create, openStores } from '../support/stores.ts'
import { thing, thingResource } from '../support/thing.ts'
import type { RecordingSink } from './recordingSink.ts'
import { cacheOf, selectionOf, watch, type WatchOptions } from './watches.ts'

const colors = ['red', 'blue', undefined] as const
const write = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  namespace: fc.constantFrom('one', 'two'),
  color: fc.constantFrom(...colors),
  isDelete: fc.boolean(),
})
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never

const selector: fc.Arbitrary<WatchOptions> = fc.record({
  labels: fc.constantFrom('', 'color', '!color', 'color=red', 'color!=red', 'color in (red,blue)'),
  fields: fc.constantFrom('', 'metadata.name=a', 'spec.color=red', 'metadata.namespace!=one'),
  namespace: fc.constantFrom('', 'one', 'two'),
})

describe('a watch (reference 10.7)', () => {
  it('from any revision with any selector, replayed over its start, equals the list at its end (reference 5.5)', async () => {
    const run = fc.record({
      before: fc.array(write, { maxLength: 25 }),
      after: fc.array(write, { maxLength: 25 }),
      options: selector,
      startAt: fc.double({ min: 0, max: 1, noNaN: true }),
      // Large enough for later writes: a reader that falls out of the ring is ended.
      maxEvents: fc.integer({ min: 26, max: 30 }),
    })
    const property = fc.asyncProperty(
      run,
      async ({ before, after, options, startAt, maxEvents }) => {
        const stores = await openStores()
        const store = stores.storeOf(thingResource())
        const cache = cacheOf(store, { maxEvents })
        try {
          // The ring begins in the middle of the earlier writes.
          for (const [at, each] of before.entries()) {
            if (at === before.length >> 1) await cache.warm()
            await apply(store, each)
          }
          await cache.warm()
          const revision = Math.floor(startAt * stores.storage.revision)
          const state = await stateAt(store, revision, options)
          const { sink } = watch(cache, store, { ...options, start: { revision } })
          await Promise.all(after.map((each) => apply(store, each).catch(() => undefined)))
          await create(store, thing('end', { namespace: 'three' }))
          const wanted = await stateAt(store, stores.storage.revision, options)
          await caughtUp(sink, state, wanted, () => eventually(stores.clock, () => false))
          expect(replay(state, sink)).to.deep.equal(wanted)
        } finally {
          cache.close()
          await stores.close()
        }
      },
    )
    await fc.assert(property, { numRuns: 150 })
  }).timeout(20_000)
})

/** Waits until the stream is idle; the caller compares. */
async function caughtUp(
  sink: RecordingSink,
  state: Map<string, ApiObject>,
  wanted: Map<string, ApiObject>,
  giveUp: () => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    await turns(5)
    if (equal(replay(state, sink), wanted)) return
  }
  await giveUp()
}

function equal(a: Map<string, ApiObject>, b: Map<string, ApiObject>): boolean {
  const text = (map: Map<string, ApiObject>) => JSON.stringify([...map].sort())
  return text(a) === text(b)
}

/**
 * Checks that every event fits the state of the client: an ADDED object is new to it, the others
 * are not.
 */
function replay(start: Map<string, ApiObject>, { events }: RecordingSink): Map<string, ApiObject> {
  const state = new Map(start)
  let last = 0
  for (const { type, object } of events) {
    const { namespace, name, resourceVersion } = object.metadata
    const key = `${namespace}/${name}`
    expect([type, key, state.has(key)]).to.deep.equal([type, key, type !== 'ADDED'])
    expect(Number(resourceVersion)).to.be.greaterThan(last)
    last = Number(resourceVersion)
    if (type === 'DELETED') state.delete(key)
    else state.set(key, object)
  }
  return state
}

async function stateAt(
  store: Store,
  revision: number,
  options: WatchOptions,
): Promise<Map<string, ApiObject>> {
  const { items } = await store.options.storage.list({ prefix: store.keyPrefix }, { revision })
  const selection = selectionOf(store, options)
  const selected = items.filter((stored) => selects(selection, new Entry(stored), store.fieldsOf))
  return new Map(
    selected.map(({ key, value }) => [key.slice(store.keyPrefix.length), decodeObject(value)]),
  )
}

/** Creates, changes or deletes an object. */
async function apply(store: Store, { name, namespace, color, isDelete }: Write): Promise<void> {
  const target = { namespace, name }
  const wanted = color === undefined ? {} : { color }
  const isThere = store.options.storage.newest(store.keyOf(target)) !== undefined
  if (!isThere) await create(store, thing(name, { namespace, labels: wanted, spec: wanted }))
  else if (isDelete) await store.delete(target, {}, systemContext())
  else {
    await change(store, target, (object) => {
      object.metadata.labels = wanted
      object['spec'] = wanted
    })
  }
}
