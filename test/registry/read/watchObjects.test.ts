import { expect } from 'chai'
import { frameEncoder } from '../../../apiserver/endpoints/response/frameEncoders.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { watchObjects } from '../../../apiserver/registry/read/watchObjects.ts'
import { eventually, turns, untilTimer } from '../../support/eventually.ts'
import { listOptions, type GivenOptions } from '../../support/listOptions.ts'
import { refusal } from '../../support/refusal.ts'
import { change, create, openStores, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { RecordingSink } from '../../watch/recordingSink.ts'

interface Wanted extends GivenOptions {
  namespace?: string
  revision?: number
}

describe('watchObjects', () => {
  let stores: Stores
  let store: Store

  beforeEach(async () => {
    stores = await openStores()
    store = stores.storeOf(thingResource())
    // a, b and c at 1 to 3, b changed at 4, a deleted at 5.
    for (const name of ['a', 'b', 'c']) await create(store, thing(name))
    await paint('b', 'red')
    await store.delete({ namespace: 'default', name: 'a' }, {}, systemContext())
  })

  afterEach(() => stores.close())

  const paint = (name: string, color: string) =>
    change(store, { namespace: 'default', name }, (object) => {
      object['spec'] = { color }
      object.metadata.labels = { color }
    })

  async function watch(wanted: Wanted): Promise<RecordingSink> {
    const { namespace = '', revision, ...options } = wanted
    const sink = new RecordingSink()
    const encoder = frameEncoder({
      resource: store.resource,
      format: { mediaType: 'application/json', pretty: false },
      includeObject: '',
      now: () => stores.clock.now(),
    })
    const all = listOptions({ watch: true, ...options })
    const watcher = { allowBookmarks: all.allowWatchBookmarks, timeoutMs: 3_600_000 }
    await watchObjects(store, { namespace, options: all, revision, encoder, watcher }, () => sink)
    return sink
  }

  async function seen(wanted: Wanted, count: number): Promise<string[]> {
    const sink = await watch(wanted)
    await create(store, thing('z'))
    await eventually(stores.clock, () => sink.texts.length >= count)
    await turns()
    return sink.texts
  }

  describe('start; z is created at 6 afterwards (reference 5.2)', () => {
    const initial = ['ADDED b@4', 'ADDED c@3']
    const end = 'BOOKMARK @5 end'
    const later = 'ADDED z@6'
    const after3 = ['MODIFIED b@4', 'DELETED a@5', later]
    const bookmarks = { allowWatchBookmarks: true }
    const newerThan = { resourceVersionMatch: 'NotOlderThan' }
    const cases: { name: string; wanted: Wanted; want: string[] }[] = [
      { name: 'no revision', wanted: {}, want: [...initial, later] },
      {
        name: 'no revision, bookmarks allowed',
        wanted: bookmarks,
        want: [...initial, end, later],
      },
      { name: '0', wanted: { revision: 0 }, want: [...initial, later] },
      { name: 'N', wanted: { revision: 3 }, want: after3 },
      { name: 'N, the newest', wanted: { revision: 5 }, want: [later] },
      {
        name: 'no revision, initial events',
        wanted: { sendInitialEvents: true, ...newerThan, ...bookmarks },
        want: [...initial, end, later],
      },
      {
        name: 'no revision, initial events, no bookmarks',
        wanted: { sendInitialEvents: true, ...newerThan },
        want: [...initial, later],
      },
      {
        name: '0, initial events',
        wanted: { revision: 0, sendInitialEvents: true, ...newerThan, ...bookmarks },
        want: [...initial, end, later],
      },
      {
        name: 'N, initial events',
        wanted: { revision: 3, sendInitialEvents: true, ...newerThan, ...bookmarks },
        want: [...initial, end, later],
      },
      {
        name: 'no revision, no initial events',
        wanted: { sendInitialEvents: false, ...newerThan },
        want: [later],
      },
      {
        name: '0, no initial events',
        wanted: { revision: 0, sendInitialEvents: false, ...newerThan },
        want: [later],
      },
      {
        name: 'N, no initial events',
        wanted: { revision: 3, sendInitialEvents: false, ...newerThan },
        want: after3,
      },
    ]
    for (const { name, wanted, want } of cases) {
      it(name, async () => {
        expect(await seen(wanted, want.length)).to.deep.equal(want)
      })
      it(`${name}, after a restart`, async () => {
        stores = stores.restarted()
        store = stores.storeOf(thingResource())
        expect(await seen(wanted, want.length)).to.deep.equal(want)
      })
    }

    it('an empty collection: only the initial bookmark, at the current revision', async () => {
      const wanted = { namespace: 'empty', sendInitialEvents: true, ...newerThan, ...bookmarks }
      const sink = await watch(wanted)
      await turns()
      expect(sink.events).to.deep.equal([
        {
          type: 'BOOKMARK',
          object: {
            kind: 'Thing',
            apiVersion: 'example.dev/v1',
            metadata: {
              resourceVersion: '5',
              annotations: { 'k8s.io/initial-events-end': 'true' },
            },
          },
        },
      ])
    })
    it('a future N: no events until N, then the events after it', async () => {
      const sink = await watch({ revision: 7 })
      for (const name of ['x', 'y', 'z']) await create(store, thing(name))
      await eventually(stores.clock, () => sink.texts.length > 0)
      expect(sink.texts).to.deep.equal(['ADDED z@8'])
    })
    it('a future N with initial events that is reached: all objects', async () => {
      const opened = watch({ revision: 6, sendInitialEvents: true, ...newerThan, ...bookmarks })
      await create(store, thing('z'))
      await untilTimer(stores.clock, 40)
      expect((await opened).texts).to.deep.equal([...initial, later, 'BOOKMARK @6 end'])
    })
    it('a future N with initial events that is not reached in three seconds: ERROR 504', async () => {
      const opened = watch({ revision: 9, sendInitialEvents: true, ...newerThan })
      await untilTimer(stores.clock, 3_040)
      const sink = await opened
      expect([sink.events, sink.isEnded]).to.deep.equal([
        [
          {
            type: 'ERROR',
            object: {
              kind: 'Status',
              apiVersion: 'v1',
              metadata: {},
              status: 'Failure',
              message: 'Timeout: Too large resource version: 9, current: 5',
              reason: 'Timeout',
              details: {
                causes: [
                  { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
                ],
                retryAfterSeconds: 1,
              },
              code: 504,
            },
          },
        ],
        true,
      ])
    })
  })

  it('a compacted revision after a restart: one ERROR 410 Expired, then the end (reference 5.6)', async () => {
    await stores.storage.compact(4)
    stores = stores.restarted()
    store = stores.storeOf(thingResource())
    const sink = await watch({ revision: 2 })
    await eventually(stores.clock, () => sink.isEnded)
    expect(sink.events).to.deep.equal([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'too old resource version: 2 (4)',
          reason: 'Expired',
          code: 410,
        },
      },
    ])
  })

  it('an object that stops matching is DELETED with its old content, one that starts matching is ADDED (reference 5.5)', async () => {
    for (const selector of [{ labelSelector: 'color=red' }, { fieldSelector: 'spec.color=red' }]) {
      const { revision } = stores.storage
      const sink = await watch({ ...selector, revision })
      await paint('c', 'red')
      await paint('c', 'blue')
      await paint('c', 'green')
      await store.delete({ namespace: 'default', name: 'b' }, {}, systemContext())
      await create(store, thing('b', { spec: { color: 'red' }, labels: { color: 'red' } }))
      await eventually(stores.clock, () => sink.texts.length >= 4)
      expect(sink.texts).to.deep.equal([
        `ADDED c@${revision + 1}`,
        `DELETED c@${revision + 2}`,
        `DELETED b@${revision + 4}`,
        `ADDED b@${revision + 5}`,
      ])
      expect(sink.events[1]?.object['spec']).to.deep.equal({ color: 'red' })
    }
  })

  it('a namespace sees its own objects only (reference 5.5)', async () => {
    const sink = await watch({ namespace: 'default', sendInitialEvents: false })
    await create(store, thing('x', { namespace: 'default-2' }))
    await create(store, thing('y'))
    await eventually(stores.clock, () => sink.texts.length > 0)
    expect(sink.texts).to.deep.equal(['ADDED y@7'])
  })

  it('a deletion has the last content at the revision of the deletion, with kind and apiVersion (reference 5.5)', async () => {
    const sink = await watch({ revision: 4 })
    await eventually(stores.clock, () => sink.texts.length > 0)
    const [event] = sink.events
    expect(event).to.deep.equal({
      type: 'DELETED',
      object: {
        kind: 'Thing',
        apiVersion: 'example.dev/v1',
        metadata: {
          name: 'a',
          namespace: 'default',
          uid: event?.object.metadata.uid,
          resourceVersion: '5',
          generation: 1,
          creationTimestamp: '2030-01-01T00:00:00Z',
        },
        spec: {},
        status: {},
      },
    })
  })

  it('an unknown field in a selector is refused before the stream opens (reference 4.3)', async () => {
    const refused = await refusal(watch({ fieldSelector: 'spec.x=1' }))
    expect([refused.code, refused.reason]).to.deep.equal([400, 'BadRequest'])
  })
})
