import { expect } from 'chai'
import type { Storage } from '../../apiserver/storage/storage.ts'
import { createInOrder, refuses, show, template } from './values.ts'

export function describeReads(opened: () => Storage): void {
  const createAll = (...keys: string[]): Promise<void> => createInOrder(opened(), ...keys)
  const keysOf = async (...call: Parameters<Storage['list']>): Promise<string[]> =>
    (await opened().list(...call)).items.map((item) => item.key)

  describe('get', () => {
    it('returns undefined for a missing key', async () => {
      expect(await opened().get('/none')).to.equal(undefined)
    })
    it('returns the value of an older revision', async () => {
      await opened().create('/a', template('one'))
      await opened().update('/a', template('two'), 1)
      await opened().delete('/a', 2)
      await opened().create('/b', template('other'))
      const seen = []
      for (let revision = 0; revision <= 4; revision++) {
        seen.push(show(await opened().get('/a', { revision })))
      }
      expect(seen).to.deep.equal(['nothing', '/a=one@1!', '/a=two@2!', 'nothing', 'nothing'])
    })
    it('refuses a revision above the newest: FutureRevision with the newest', async () => {
      await createAll('/a')
      await refuses(() => opened().get('/a', { revision: 2 }), 'FutureRevision', { revision: 1 })
    })
  })

  describe('list', () => {
    it('keeps byte order of UTF-8, not of UTF-16', async () => {
      await createAll(
        '/k/\u{1f600}',
        '/k/\uff5e',
        '/k/é',
        '/k/z',
        '/k/a\u{1f600}',
        '/k/a\ue000',
        '/k/',
      )
      const sorted = [
        '/k/',
        '/k/a\ue000',
        '/k/a\u{1f600}',
        '/k/z',
        '/k/é',
        '/k/\uff5e',
        '/k/\u{1f600}',
      ]
      expect(await keysOf({ prefix: '/k/' })).to.deep.equal(sorted)
    })
    const ranges = [
      { name: 'a prefix', range: { prefix: '/b/' }, want: ['/b/1', '/b/2', '/b/3'] },
      { name: 'part of a name', range: { prefix: '/b' }, want: ['/b/1', '/b/2', '/b/3', '/bb/1'] },
      {
        name: 'no prefix',
        range: { prefix: '' },
        want: ['/a/1', '/b/1', '/b/2', '/b/3', '/bb/1', '/c/1'],
      },
      { name: 'a prefix without keys', range: { prefix: '/ba/' }, want: [] },
      {
        name: 'a start key, inclusive',
        range: { prefix: '/b/', start: '/b/2' },
        want: ['/b/2', '/b/3'],
      },
      {
        name: 'a start between keys',
        range: { prefix: '/b/', start: '/b/1\0' },
        want: ['/b/2', '/b/3'],
      },
      {
        name: 'a start before the prefix',
        range: { prefix: '/b/', start: '/a' },
        want: ['/b/1', '/b/2', '/b/3'],
      },
      { name: 'a start after the prefix', range: { prefix: '/b/', start: '/c' }, want: [] },
    ]
    for (const { name, range, want } of ranges) {
      it(`returns ${name}, now and at an older revision`, async () => {
        await createAll('/c/1', '/b/3', '/a/1', '/b/1', '/bb/1', '/b/2')
        expect(await keysOf(range)).to.deep.equal(want)
        await opened().delete('/b/2', 6)
        await createAll('/b/15', '/b/4')
        expect(await keysOf(range, { revision: 6 })).to.deep.equal(want)
      })
    }
    const limits = [
      { limit: 0, want: ['/a', '/b', '/c'], more: false },
      { limit: 1, want: ['/a'], more: true },
      { limit: 2, want: ['/a', '/b'], more: true },
      { limit: 3, want: ['/a', '/b', '/c'], more: false },
      { limit: 4, want: ['/a', '/b', '/c'], more: false },
    ]
    for (const { limit, want, more } of limits) {
      it(`returns at most ${limit} and whether more follow`, async () => {
        await createAll('/a', '/b', '/c')
        const list = await opened().list({ prefix: '/' }, { limit })
        const shown = { keys: list.items.map((item) => item.key), more: list.more }
        expect({ ...shown, revision: list.revision }).to.deep.equal({
          keys: want,
          more,
          revision: 3,
        })
        await opened().delete('/b', 2)
        await createAll('/aa', '/bb')
        const old = await opened().list({ prefix: '/' }, { limit, revision: 3 })
        const oldShown = { keys: old.items.map((item) => item.key), more: old.more }
        expect({ ...oldShown, revision: old.revision }).to.deep.equal({
          keys: want,
          more,
          revision: 3,
        })
      })
    }
    it('returns the values of an older revision, unaffected by later writes', async () => {
      await createAll('/a', '/b', '/c')
      await opened().update('/a', template('new'), 1)
      await opened().update('/a', template('newer'), 4)
      await opened().delete('/b', 2)
      await opened().create('/b', template('back'))
      const at = async (revision: number): Promise<string[]> =>
        (await opened().list({ prefix: '/' }, { revision })).items.map(show)
      expect(await at(0)).to.deep.equal([])
      expect(await at(2)).to.deep.equal(['/a=v@1!', '/b=v@2!'])
      expect(await at(5)).to.deep.equal(['/a=newer@5!', '/b=v@2!', '/c=v@3!'])
      expect(await at(6)).to.deep.equal(['/a=newer@5!', '/c=v@3!'])
      expect(await at(7)).to.deep.equal(['/a=newer@5!', '/b=back@7!', '/c=v@3!'])
    })
    it('walks a range in pages at one revision under writes', async () => {
      const names = Array.from({ length: 50 }, (_, i) => `/p/${String(i).padStart(2, '0')}`)
      await createAll(...names)
      const seen: string[] = []
      for (let start = '/p/', more = true; more;) {
        const list = await opened().list({ prefix: '/p/', start }, { limit: 7, revision: 50 })
        seen.push(...list.items.map((item) => item.key))
        start = `${seen.at(-1)}\0`
        more = list.more
        const doomed = opened().newest(names[seen.length + 1] ?? '')
        if (doomed !== undefined) await opened().delete(doomed.key, doomed.revision)
        await createAll(`/p/${seen.length - 2}x`, `/p/${seen.length + 1}x`)
      }
      expect(seen).to.deep.equal(names)
    })
    it('is consistent while a write commits during the read', async () => {
      await createAll('/a', '/b')
      await opened().update('/a', template('two'), 1)
      const reading = opened().list({ prefix: '/' }, { revision: 2 })
      await Promise.all([opened().delete('/b', 2), createAll('/aa')])
      expect((await reading).items.map(show)).to.deep.equal(['/a=v@1!', '/b=v@2!'])
    })
    it('refuses a revision above the newest: FutureRevision', () =>
      refuses(() => opened().list({ prefix: '' }, { revision: 1 }), 'FutureRevision', {
        revision: 0,
      }))
  })
}
