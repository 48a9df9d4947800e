import { expect } from 'chai'
import { encodeContinue } from '../../../apiserver/meta/continueToken.ts'
import type { Shows } from '../../../apiserver/registry/read/visibility.ts'
import { listObjects } from '../../../apiserver/registry/read/listObjects.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { listOptions } from '../../support/listOptions.ts'
import { failure, refusal } from '../../support/refusal.ts'
import { change, create } from '../../support/stores.ts'
import { thing } from '../../support/thing.ts'
import { namesOf, summary, token, useListedThings, type Wanted } from './listedThings.ts'

describe('listObjects with a selection', () => {
  const things = useListedThings()
  const { list, fill, remove } = things
  let store: Store

  beforeEach(() => {
    store = things.current().store
  })

  describe('selectors (reference 4.3)', () => {
    beforeEach(async () => {
      for (const [name, color] of [
        ['a', 'red'],
        ['b', 'blue'],
        ['c', 'red'],
        ['d', 'blue'],
        ['e', 'red'],
      ] as const) {
        await create(store, thing(name, { spec: { color }, labels: { color } }))
      }
    })

    const red = [{ labelSelector: 'color=red' }, { fieldSelector: 'spec.color=red' }]
    for (const selector of red) {
      it(`${JSON.stringify(selector)} applies before the limit; no count is given`, async () => {
        const page = await list({ ...selector, limit: 2 })
        expect({ ...summary(page), remaining: page.remainingItemCount }).to.deep.equal({
          revision: 5,
          names: ['a', 'c'],
          continueToken: encodeContinue({ revision: 5, start: 'default/c\0' }),
          remaining: undefined,
        })
        await create(store, thing('cc', { spec: { color: 'red' }, labels: { color: 'red' } }))
        const { continueToken = '' } = page
        expect(summary(await list({ ...selector, limit: 2, continueToken }))).to.deep.equal({
          revision: 5,
          names: ['e'],
        })
      })
    }
    it('one object: no token for any limit', async () => {
      for (const limit of [0, 1]) {
        const wanted = { fieldSelector: 'metadata.name=b', namespace: 'default', limit }
        expect(summary(await list(wanted))).to.deep.equal({ revision: 5, names: ['b'] })
      }
    })
    it('one object: found by its key, and a continue position is ignored', async () => {
      const wanted = { fieldSelector: 'metadata.name=b', namespace: 'default' }
      const old = { ...wanted, revision: 2, resourceVersionMatch: 'Exact' }
      expect(summary(await list(old))).to.deep.equal({ revision: 2, names: ['b'] })
      expect(summary(await list({ ...old, revision: 1 }))).to.deep.equal({ revision: 1, names: [] })
      const later = { ...wanted, continueToken: token(5, 'c') }
      expect(summary(await list(later))).to.deep.equal({ revision: 5, names: ['b'] })
      const others = { ...wanted, labelSelector: 'color=red' }
      expect(summary(await list(others)).names).to.deep.equal([])
    })
    it('one object: an unreadable token, or one with a revision: 400 BadRequest', async () => {
      const wanted = { fieldSelector: 'metadata.name=b', namespace: 'default' }
      expect(await refusal(list({ ...wanted, continueToken: 'nothing' }))).to.include({
        code: 400,
        reason: 'BadRequest',
      })
      const both = { ...wanted, continueToken: token(5, 'b'), revision: 5 }
      expect(await refusal(list(both))).to.include({
        code: 400,
        message: 'specifying resource version is not allowed when using continue',
      })
    })
    it('one missing object: an empty list at the current revision', async () => {
      const wanted = { fieldSelector: 'metadata.name=x', namespace: 'default' }
      expect(summary(await list(wanted))).to.deep.equal({ revision: 5, names: [] })
    })
    it('an unknown field: 400 BadRequest', async () => {
      expect(await refusal(list({ fieldSelector: 'spec.size=1' }))).to.deep.equal(
        failure(
          400,
          'BadRequest',
          '"spec.size" is not a known field selector: only "metadata.name", "metadata.namespace", "spec.color"',
        ),
      )
    })
  })

  describe('filtered by visibility', () => {
    const sees =
      (...shown: string[]): Shows =>
      ({ name }) =>
        shown.includes(name)
    const listFor = ({ revision, ...options }: Wanted, shows: Shows) =>
      listObjects(store, { namespace: '', revision, shows, options: listOptions(options) })

    it('contains visible objects only, without a count of others', async () => {
      await fill()
      expect(summary(await listFor({}, sees('b', 'f')))).to.deep.equal({
        revision: 8,
        names: ['b', 'f'],
      })
      expect(summary(await listFor({}, sees()))).to.deep.equal({ revision: 8, names: [] })
    })

    it('the limit counts visible objects; the last page has no token (reference 4.4)', async () => {
      await fill()
      const shows = sees('b', 'd', 'f')
      const first = await listFor({ limit: 2 }, shows)
      expect([namesOf(first), first.remainingItemCount]).to.deep.equal([['b', 'd'], undefined])
      const { continueToken = '' } = first
      await change(store, { namespace: 'default', name: 'f' }, (object) => {
        object['spec'] = { size: 2 }
      })
      const last = await listFor({ limit: 2, continueToken }, shows)
      expect(summary(last)).to.deep.equal({ revision: 8, names: ['f'] })
      expect(summary(await listFor({ limit: 2 }, sees('b', 'd')))).to.deep.equal({
        revision: 9,
        names: ['b', 'd'],
      })
    })

    it('applies to an exact revision, and to one object (reference 4.3)', async () => {
      await fill()
      const exact = await listFor({ limit: 1, revision: 5 }, sees('c', 'e'))
      expect([exact.revision, namesOf(exact)]).to.deep.equal([5, ['c']])
      const one = { fieldSelector: 'metadata.name=b,metadata.namespace=default' }
      expect(namesOf(await listFor(one, sees('b')))).to.deep.equal(['b'])
      expect(namesOf(await listFor(one, sees('c')))).to.deep.equal([])
    })

    it('an older revision hides an earlier object of the same name', async () => {
      await fill()
      await create(store, thing('a'))
      expect(namesOf(await listFor({ limit: 9, revision: 5 }, sees('a', 'b')))).to.deep.equal(['b'])
    })

    it('a later page of a kept state hides an earlier object of the same name', async () => {
      await fill()
      const shows = sees('b', 'd', 'e')
      const { continueToken = '' } = await listFor({ limit: 1 }, shows)
      await remove('d')
      await create(store, thing('d'))
      expect(namesOf(await listFor({ limit: 9, continueToken }, shows))).to.deep.equal(['e'])
      expect(namesOf(await listFor({ limit: 9, revision: 8 }, shows))).to.deep.equal(['b', 'e'])
    })

    it('decides by namespace and name, once per state', async () => {
      await create(store, thing('a', { namespace: 'n' }))
      const asked: [object, object][] = []
      const shows: Shows = (object, state) => asked.push([object, state]) > 0
      await listFor({}, shows)
      await listFor({}, shows)
      expect(asked.map(([object]) => object)).to.deep.equal(
        [0, 1].map(() => ({ namespace: 'n', name: 'a' })),
      )
      expect(new Set(asked.map(([, state]) => state)).size).to.equal(1)
    })
  })
})
