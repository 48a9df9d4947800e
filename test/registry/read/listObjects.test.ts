import { expect } from 'chai'
import fc from 'fast-check'
import { decodeContinue, encodeContinue } from '../../../apiserver/meta/continueToken.ts'
import { listObjects } from '../../../apiserver/registry/read/listObjects.ts'
import type { ListPage } from '../../../apiserver/registry/read/listPage.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { clientContext } from '../../support/contexts.ts'
import { untilTimer } from '../../support/eventually.ts'
import { listOptions, type GivenOptions } from '../../support/listOptions.ts'
import { failure, refusal } from '../../support/refusal.ts'
import { change, create, openStores, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { namesOf, summary, token, useListedThings, type Wanted } from './listedThings.ts'

const inconsistent =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

describe('listObjects', () => {
  const things = useListedThings()
  const { list, fill } = things
  let stores: Stores
  let store: Store

  beforeEach(() => {
    ;({ stores, store } = things.current())
  })

  it('an empty collection has the revision of the store, never 0 (reference 4.7)', async () => {
    await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('a'))
    const page = await list()
    expect(summary(page)).to.deep.equal({ revision: 1, names: [] })
    expect(Buffer.concat(page.items()).toString()).to.equal('')
  })

  it('items are in key order: namespace, then name (reference 4.3)', async () => {
    for (const [namespace, name] of [
      ['b', 'a'],
      ['a-b', 'x'],
      ['a', 'z'],
      ['a', 'm'],
    ] as const) {
      await create(store, thing(name, { namespace }))
    }
    const found = [...(await list()).entries()].map(({ key }) => key.slice(store.keyPrefix.length))
    expect(found).to.deep.equal(['a-b/x', 'a/m', 'a/z', 'b/a'])
  })

  it('a namespace holds its own objects only (reference 4.3)', async () => {
    for (const namespace of ['a', 'a-b', 'b']) await create(store, thing(namespace, { namespace }))
    expect(summary(await list({ namespace: 'a' })).names).to.deep.equal(['a'])
  })

  it('items carry neither kind nor apiVersion (reference 0.4)', async () => {
    const { metadata, spec, status } = await create(store, thing('a', { spec: { size: 1 } }))
    const items: unknown = JSON.parse(`[${Buffer.concat((await list()).items()).toString()}]`)
    expect(items).to.deep.equal([{ metadata, spec, status }])
  })

  describe('the matrix (reference 4.3)', () => {
    beforeEach(fill)

    const newest = ['b', 'c', 'd', 'e', 'f']
    const old = ['a', 'b', 'c', 'd', 'e']
    const cases: {
      name: string
      wanted: Wanted
      revision: number
      names: string[]
      remaining?: number
    }[] = [
      { name: 'nothing: the newest', wanted: {}, revision: 8, names: newest },
      {
        name: 'a limit: a page of the newest',
        wanted: { limit: 2 },
        revision: 8,
        names: ['b', 'c'],
        remaining: 3,
      },
      {
        name: 'a limit that is enough: all, without a token',
        wanted: { limit: 5 },
        revision: 8,
        names: newest,
      },
      {
        name: 'a token: exactly its revision',
        wanted: { continueToken: token(5, 'b'), limit: 2 },
        revision: 5,
        names: ['c', 'd'],
        remaining: 1,
      },
      {
        name: 'a token without a limit: all the rest',
        wanted: { continueToken: token(5, 'b') },
        revision: 5,
        names: ['c', 'd', 'e'],
      },
      {
        name: 'a token and revision 0: the limit is ignored',
        wanted: { continueToken: token(5, 'b'), limit: 1, revision: 0 },
        revision: 5,
        names: ['c', 'd', 'e'],
      },
      {
        name: 'a token at revision -1: the newest from its start on',
        wanted: { continueToken: token(-1, 'b'), limit: 2 },
        revision: 8,
        names: ['c', 'd'],
        remaining: 2,
      },
      {
        name: '0: any, the limit ignored',
        wanted: { revision: 0, limit: 1 },
        revision: 8,
        names: newest,
      },
      {
        name: '0 NotOlderThan: any, the limit ignored',
        wanted: { revision: 0, limit: 1, resourceVersionMatch: 'NotOlderThan' },
        revision: 8,
        names: newest,
      },
      { name: 'N: not older than N', wanted: { revision: 5 }, revision: 8, names: newest },
      {
        name: 'N with a limit: exactly N',
        wanted: { revision: 5, limit: 3 },
        revision: 5,
        names: ['a', 'b', 'c'],
        remaining: 2,
      },
      {
        name: 'N NotOlderThan: at least N',
        wanted: { revision: 5, resourceVersionMatch: 'NotOlderThan' },
        revision: 8,
        names: newest,
      },
      {
        name: 'N NotOlderThan with a limit: at least N, the limit honoured',
        wanted: { revision: 5, resourceVersionMatch: 'NotOlderThan', limit: 2 },
        revision: 8,
        names: ['b', 'c'],
        remaining: 3,
      },
      {
        name: 'N Exact: exactly N',
        wanted: { revision: 5, resourceVersionMatch: 'Exact' },
        revision: 5,
        names: old,
      },
      {
        name: 'N Exact with a limit: exactly N',
        wanted: { revision: 7, resourceVersionMatch: 'Exact', limit: 1 },
        revision: 7,
        names: ['b'],
        remaining: 3,
      },
    ]
    for (const { name, wanted, revision, names, remaining } of cases) {
      it(name, async () => {
        const page = await list(wanted)
        expect({ ...summary(page), remaining: page.remainingItemCount }).to.deep.equal({
          revision,
          names,
          remaining,
          ...(remaining === undefined
            ? {}
            : { continueToken: token(revision, names.at(-1) ?? '') }),
        })
      })
      it(`${name}, after a restart`, async () => {
        const before = summary(await list(wanted))
        stores = stores.restarted()
        store = stores.storeOf(thingResource())
        expect(summary(await list(wanted))).to.deep.equal(before)
      })
    }

    it('exactly N returns the objects of that revision', async () => {
      const [, , third] = [...(await list({ revision: 5, limit: 9 })).entries()]
      expect(third?.object().metadata).to.deep.include({
        name: 'c',
        resourceVersion: '3',
        generation: 1,
      })
    })
    it('N with a token: 400 BadRequest', async () => {
      expect(await refusal(list({ revision: 5, continueToken: token(5, 'b') }))).to.deep.equal(
        failure(
          400,
          'BadRequest',
          'specifying resource version is not allowed when using continue',
        ),
      )
    })
  })

  it('a full page of a selector has a token while any object follows (reference 4.4)', async () => {
    for (const name of ['a', 'b']) await create(store, thing(name, { labels: { color: 'red' } }))
    const wanted = { labelSelector: 'color=red', limit: 2 }
    expect((await list(wanted)).continueToken).to.equal(undefined)
    await create(store, thing('c'))
    const { continueToken = '' } = await list(wanted)
    expect(decodeContinue(continueToken).start).to.equal('default/b\0')
    expect(summary(await list({ ...wanted, continueToken }))).to.deep.equal({
      revision: 3,
      names: [],
    })
    await create(store, thing('d'))
    expect((await list({ ...wanted, revision: 3 })).continueToken).to.equal(continueToken)
    expect((await list({ ...wanted, revision: 2 })).continueToken).to.equal(undefined)
  })

  it('pages of an older revision count the remaining objects, and read only their own (reference 4.4)', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `t${String(at).padStart(2, '0')}`)
    for (const name of names) await create(store, thing(name))
    await store.cache.warm()
    for (const [at, name] of names.entries()) {
      const target = { namespace: 'default', name }
      if (at % 3 === 0) await store.delete(target, {}, clientContext())
      else if (at % 3 === 1) await change(store, target, (one) => (one['spec'] = { size: at }))
      await create(store, thing(`${name}-new`))
    }
    const { storage } = store.options
    const read: number[] = []
    const readList = storage.list.bind(storage)
    storage.list = async (range, options) => {
      const result = await readList(range, options)
      read.push(result.items.length)
      return result
    }
    // No paged list was started at this state, so no snapshot of it is kept.
    const shown: string[] = []
    const left: (number | undefined)[] = []
    let next: string | undefined = token(40, 't06')
    while (next !== undefined) {
      const page = await list({ limit: 7, continueToken: next })
      shown.push(...summary(page).names)
      left.push(page.remainingItemCount)
      next = page.continueToken
    }
    expect(shown).to.deep.equal(names.slice(7))
    expect(left).to.deep.equal([26, 19, 12, 5, undefined])
    expect(read).to.deep.equal([8, 8, 8, 8, 5])
  })

  it('following pages are served from memory, whatever is written after the first (reference 4.4)', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `t${String(at).padStart(3, '0')}`)
    for (const name of names) await create(store, thing(name))
    let page = await list({ limit: 7 })
    const { storage } = store.options
    storage.list = () => Promise.reject(new Error('storage was asked'))
    const shown = summary(page).names
    const segments = page.items()
    for (const name of names) {
      if (page.continueToken === undefined) break
      await change(store, { namespace: 'default', name }, (one) => (one['spec'] = { size: 9 }))
      await create(store, thing(`${name}-new`))
      page = await list({ limit: 7, continueToken: page.continueToken })
      shown.push(...summary(page).names)
      segments.push(...page.items())
    }
    expect(shown).to.deep.equal(names)
    const items = JSON.parse(`[${segments.map(String).join(',')}]`) as { metadata: object }[]
    expect(items.map(({ metadata }) => Object.entries(metadata)[0])).to.deep.equal(
      names.map((name) => ['name', name]),
    )
  })

  describe('after a compaction (reference 4.5)', () => {
    beforeEach(async () => {
      await fill()
      await stores.storage.compact(7)
    })

    it('a list at a compacted revision: 410 Expired', async () => {
      expect(await refusal(list({ revision: 5, limit: 1 }))).to.deep.equal(
        failure(410, 'Expired', 'The resourceVersion for the provided list is too old.'),
      )
    })
    it('a token of a resource that did not change since: 410 Expired', async () => {
      const { continueToken = '' } = await list({ limit: 1 })
      await create(stores.storeOf({ ...thingResource(), plural: 'others' }), thing('a'))
      expect(summary(await list({ continueToken, limit: 1 })).names).to.deep.equal(['c'])
      await stores.storage.compact(9)
      expect(await refusal(list({ continueToken, limit: 1 }))).to.deep.include({ code: 410 })
    })
    it('a token: 410 Expired, with a token that continues at the newest revision', async () => {
      const continueToken = encodeContinue({ revision: 5, start: 'default/b\0' })
      const next = encodeContinue({ revision: -1, start: 'default/b\0' })
      expect(await refusal(list({ continueToken, limit: 2 }))).to.deep.equal({
        ...failure(410, 'Expired', inconsistent),
        metadata: { continue: next },
      })
      expect(summary(await list({ continueToken: next, limit: 2 }))).to.deep.equal({
        revision: 8,
        names: ['c', 'd'],
        continueToken: encodeContinue({ revision: 8, start: 'default/d\0' }),
      })
    })
  })

  describe('a revision above the newest (reference 4.6)', () => {
    beforeEach(fill)

    const tooLarge = (asked: number, current: number, retry: object) =>
      failure(
        504,
        'Timeout',
        `Timeout: Too large resource version: ${asked}, current: ${current}`,
        {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          ...retry,
        },
      )

    for (const request of [
      { revision: 20 },
      { revision: 20, limit: 1 },
      { revision: 20, resourceVersionMatch: 'Exact' },
    ]) {
      const retry = { retryAfterSeconds: 1 }
      it(`${JSON.stringify(request)}: waits three seconds, then 504 Timeout`, async () => {
        const refused = refusal(list(request))
        await untilTimer(stores.clock, 2_999)
        let isOver = false
        void refused.then(() => (isOver = true))
        await untilTimer(stores.clock, 0)
        expect(isOver).to.equal(false)
        await untilTimer(stores.clock, 21)
        expect(await refused).to.deep.equal(tooLarge(20, 8, retry))
      })
    }
    it('responds when the revision is reached in time', async () => {
      const page = list({ revision: 9 })
      await create(store, thing('g'))
      await untilTimer(stores.clock, 20)
      expect(summary(await page).revision).to.equal(9)
    })
    it('in a token: 504 Timeout', async () => {
      const continueToken = encodeContinue({ revision: 20, start: 'default/b\0' })
      const refused = await refusal(list({ continueToken }))
      expect([refused.code, refused.reason, refused.message]).to.deep.equal([
        504,
        'Timeout',
        'Timeout: Too large resource version: 20, current: 8',
      ])
    })
  })

  describe('an unreadable token: 400 BadRequest (reference 4.4)', () => {
    for (const continueToken of [
      '!',
      'bm90IGpzb24',
      encodeContinue({ revision: 5, start: '../x' }),
    ]) {
      it(continueToken, async () => {
        const refused = await refusal(list({ continueToken }))
        expect([refused.code, refused.reason]).to.deep.equal([400, 'BadRequest'])
        expect(refused.message).to.match(/^invalid continue token: continue key is not valid: /)
      })
    }
  })

  it('pages together are the list at their revision, whatever is written in between (reference 4.4)', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    const write = fc.record({ name: names, isDelete: fc.boolean() })
    const model = fc.asyncProperty(
      fc.array(write, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.array(write, { maxLength: 3 })), {
        minLength: 1,
        maxLength: 6,
      }),
      async (first, pages) => {
        const own = await openStores()
        const things = own.storeOf(thingResource())
        try {
          for (const each of first) await apply(things, each)
          const whole = namesOf(await listOf(things, {}))
          const joined: string[] = []
          let continueToken: string | undefined = ''
          for (let at = 0; continueToken !== undefined; at++) {
            const [limit, writes] = pages[at % pages.length] ?? [1, []]
            const page: ListPage = await listOf(things, { limit, continueToken })
            joined.push(...namesOf(page))
            continueToken = page.continueToken
            for (const each of writes) await apply(things, each)
          }
          expect(joined).to.deep.equal(whole)
        } finally {
          await own.close()
        }
      },
    )
    await fc.assert(model, { numRuns: 60 })
  })
})

function listOf(store: Store, options: GivenOptions): Promise<ListPage> {
  const request = { namespace: '', revision: undefined, options: listOptions(options) }
  return listObjects(store, request)
}

/** Creates, changes or deletes an object. */
async function apply(store: Store, { name, isDelete }: { name: string; isDelete: boolean }) {
  const target = { namespace: 'default', name }
  const isThere = store.options.storage.newest(store.keyOf(target)) !== undefined
  if (!isThere) await create(store, thing(name))
  else if (isDelete) await store.delete(target, {}, systemContext())
  else {
    await change(store, target, ({ metadata }) => {
      metadata.labels = { at: String(store.options.storage.revision) }
    })
  }
}
