import { expect } from 'chai'
import { frameEncoder } from '../../../apiserver/endpoints/response/frameEncoders.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { listObjects } from '../../../apiserver/registry/read/listObjects.ts'
import { watchObjects } from '../../../apiserver/registry/read/watchObjects.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { listOptions, type GivenOptions } from '../../support/listOptions.ts'
import { keepBusy, longestTurn } from '../../support/longestTurn.ts'
import { change, create, openStores, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { RecordingSink } from '../../watch/recordingSink.ts'

const count = 40
const readMs = 10

describe('selectors over objects that are slow to read', () => {
  let stores: Stores
  let store: Store
  let isSlow = false

  /** Field of each object, which takes `readMs` to compute. */
  function slowField(object: ApiObject): string {
    if (isSlow) keepBusy(readMs)
    return object.metadata.name ?? ''
  }

  beforeEach(async () => {
    isSlow = false
    stores = await openStores()
    store = stores.storeOf({ ...thingResource(), selectableFields: { 'spec.slow': slowField } })
    await Promise.all(Array.from({ length: count }, (_, at) => create(store, thing(`t${at}`))))
    isSlow = true
  })

  afterEach(() => stores.close())

  const selected = (options: GivenOptions) =>
    listOptions({ fieldSelector: 'spec.slow=t7', ...options })

  async function watchAll(): Promise<void> {
    const { clock } = stores
    const format = { mediaType: 'application/json', pretty: false }
    const encoder = frameEncoder({
      ...{ resource: store.resource, format, includeObject: '' },
      now: () => clock.now(),
    })
    const sink = new RecordingSink()
    await watchObjects(
      store,
      {
        ...{ namespace: '', options: selected({ watch: true }), revision: undefined, encoder },
        watcher: { allowBookmarks: false, timeoutMs: 1_000 },
      },
      () => sink,
    )
    expect(sink.texts).to.have.length(1)
  }

  const list = async (revision: number | undefined, options: GivenOptions = {}) => {
    const page = await listObjects(store, { namespace: '', options: selected(options), revision })
    expect([...page.entries()].map(({ key }) => key.split('/').at(-1))).to.deep.equal(['t7'])
  }

  for (const { what, work } of [
    { what: 'a list', work: () => list(undefined) },
    { what: 'a page', work: () => list(undefined, { limit: 1 }) },
    { what: 'a watch with initial events', work: watchAll },
  ]) {
    it(`${what} gives way to other work every few milliseconds`, async () => {
      expect(await longestTurn(work)).to.be.lessThan((count * readMs) / 2)
    })
  }

  it('a list of a past state gives way to other work every few milliseconds', async () => {
    const revision = store.options.storage.revision
    isSlow = false
    await change(store, { namespace: 'default', name: 't9' }, (object) => {
      object['spec'] = { size: 1 }
    })
    isSlow = true
    const work = () =>
      list(revision, { resourceVersion: `${revision}`, resourceVersionMatch: 'Exact' })
    expect(await longestTurn(work)).to.be.lessThan((count * readMs) / 2)
  })

  it('a page reads no further than its block', async () => {
    let reads = 0
    const resource = {
      ...thingResource(),
      plural: 'others',
      selectableFields: { 'spec.slow': () => `${reads++}` },
    }
    const others = stores.storeOf(resource)
    await Promise.all(Array.from({ length: 600 }, (_, at) => create(others, thing(`t${at}`))))
    reads = 0
    const options = listOptions({ fieldSelector: 'spec.slow!=x', limit: 1 })
    await listObjects(others, { namespace: '', options, revision: undefined })
    expect(reads).to.be.within(1, 300)
  })
})
