import { expect } from 'chai'
import type { Change, Storage } from '../../apiserver/storage/storage.ts'
import { createInOrder, refuses, showChange, template } from './values.ts'
import { whereRevisionsArePredicted, type StorageFeatures } from './predictedRevisions.ts'

export function describeWatches(opened: () => Storage, features: StorageFeatures): void {
  const itPredicts = whereRevisionsArePredicted(features)
  const create = (key: string): Promise<unknown> => opened().create(key, template('v'))
  /** Watches, and collects the changes as one list of strings per call. */
  const watch = async (
    prefix: string,
    since: number,
  ): Promise<{ calls: string[][]; close: () => void }> => {
    const calls: string[][] = []
    const listener = (changes: readonly Change[]): void => void calls.push(changes.map(showChange))
    const subscription = await opened().watch(prefix, since, listener)
    return { calls, close: () => subscription.close() }
  }

  describe('watch', () => {
    it('reports history after `since`, oldest first, then live changes', async () => {
      await create('/a')
      await opened().update('/a', template('two'), 1)
      await opened().delete('/a', 2)
      const { calls } = await watch('', 1)
      await create('/b')
      expect(calls.flat()).to.deep.equal([
        '2 /a two@2! was /a=v@1!',
        '3 /a deleted was /a=two@2!',
        '4 /b v@4! was nothing',
      ])
    })
    itPredicts('gives live changes batch by batch, with previous values', async () => {
      const { calls } = await watch('', 0)
      await create('/a')
      await Promise.all([opened().update('/a', template('two'), 1), opened().delete('/a', 2)])
      expect(calls).to.deep.equal([
        ['1 /a v@1! was nothing'],
        ['2 /a two@2! was /a=v@1!', '3 /a deleted was /a=two@2!'],
      ])
    })
    itPredicts('gives a change before its writer goes on', async () => {
      const { calls } = await watch('', 0)
      await create('/a')
      expect(calls.length).to.equal(1)
      const [, seen] = await Promise.all([create('/b'), create('/c').then(() => calls.length)])
      expect(seen).to.equal(2)
    })
    itPredicts('shows a state that is already readable', async () => {
      const seen: number[] = []
      await opened().watch('', 0, () => void seen.push(opened().revision))
      await Promise.all([create('/a'), create('/b')])
      expect(seen).to.deep.equal([2])
    })
    const prefixes = [
      { prefix: '', want: ['/a/x/1', '/a/x2', '/a/y/1', '/b'] },
      { prefix: '/', want: ['/a/x/1', '/a/x2', '/a/y/1', '/b'] },
      { prefix: '/a/', want: ['/a/x/1', '/a/x2', '/a/y/1'] },
      { prefix: '/a/x', want: ['/a/x/1', '/a/x2'] },
      { prefix: '/a/x/', want: ['/a/x/1'] },
      { prefix: '/a/x/1', want: ['/a/x/1'] },
      { prefix: '/a/x/1/', want: [] },
      { prefix: '/c/', want: [] },
    ]
    for (const { prefix, want } of prefixes) {
      it(`reports only keys under '${prefix}', from history and live`, async () => {
        const keys: string[] = []
        const listener = (changes: readonly Change[]): void =>
          void keys.push(...changes.map((change) => change.key))
        const live = await opened().watch(prefix, 0, listener)
        await createInOrder(opened(), '/a/x/1', '/a/x2', '/a/y/1', '/b')
        expect(keys).to.deep.equal(want)
        live.close()
        keys.length = 0
        await opened().watch(prefix, 0, listener)
        expect(keys).to.deep.equal(want)
      })
    }
    it('never calls back without changes', async () => {
      const { calls } = await watch('/none/', 0)
      await create('/a')
      await watch('/none/', 0)
      expect(calls).to.deep.equal([])
    })
    it('leaves no gap and no repeat under writes', async () => {
      await Promise.all(Array.from({ length: 1200 }, (_, i) => create(`/w/${i}`)))
      const revisions: number[] = []
      const listener = (changes: readonly Change[]): void =>
        void revisions.push(...changes.map((change) => change.revision))
      const watching = opened().watch('/w/', 10, listener)
      for (let i = 0; i < 40; i++) await create(`/w/more/${i}`)
      await watching
      await create('/w/last')
      expect(revisions).to.deep.equal(Array.from({ length: 1231 }, (_, i) => i + 11))
    })
    itPredicts('gives nothing until revisions exceed a `since` in the future', async () => {
      const { calls } = await watch('/', 2)
      await Promise.all([create('/a'), create('/b'), create('/c')])
      await create('/d')
      expect(calls).to.deep.equal([['3 /c v@3! was nothing'], ['4 /d v@4! was nothing']])
    })
    it('ends with close, which may be called again', async () => {
      const closed = await watch('/', 0)
      const open = await watch('/', 0)
      await create('/a')
      closed.close()
      closed.close()
      await create('/b')
      expect([closed.calls.length, open.calls.length]).to.deep.equal([1, 2])
    })
    it('may be closed by another listener within a batch', async () => {
      const second: { close?: () => void; calls: number } = { calls: 0 }
      await opened().watch('/', 0, () => second.close?.())
      const subscription = await opened().watch('/', 0, () => void second.calls++)
      second.close = () => subscription.close()
      await create('/a')
      expect(second.calls).to.equal(0)
    })
    it('may be opened by a listener, and starts after the batch', async () => {
      const seen: string[] = []
      const inner = (changes: readonly Change[]): void => void seen.push(...changes.map(showChange))
      let opening: Promise<unknown> | undefined
      const outer = (): void => {
        opening ??= opened().watch('/', opened().revision, inner)
      }
      await opened().watch('/', 0, outer)
      await create('/a')
      await opening
      await create('/b')
      expect(seen).to.deep.equal(['2 /b v@2! was nothing'])
    })
  })

  describe('changes', () => {
    it('returns fewer large changes, and the rest after them', async () => {
      const large = 'x'.repeat(700_000)
      await create('/a')
      for (let revision = 1; revision < 4; revision++)
        await opened().update('/a', template(large), revision)
      const revisions: number[][] = []
      for (let [since, more] = [0, true]; more;) {
        const page = await opened().changes('', since, 100)
        revisions.push(page.changes.map(({ revision }) => revision))
        since = page.revision
        more = page.more
      }
      expect(revisions.flat()).to.deep.equal([1, 2, 3, 4])
      expect(revisions.length).to.be.greaterThan(1)
    })

    it('returns pages, oldest first, with the revision they reach', async () => {
      await createInOrder(opened(), '/a/1', '/b/1', '/a/2', '/b/2', '/a/3')
      const first = await opened().changes('/a/', 0, 2)
      const second = await opened().changes('/a/', first.revision, 2)
      const shown = [first, second].map((page) => ({
        revisions: page.changes.map((change) => change.revision),
        revision: page.revision,
        more: page.more,
      }))
      expect(shown).to.deep.equal([
        { revisions: [1, 3], revision: 3, more: true },
        { revisions: [5], revision: 5, more: false },
      ])
    })
    it('reaches the newest revision if nothing matches', async () => {
      await create('/a')
      expect(await opened().changes('/b/', 0, 5)).to.deep.equal({
        changes: [],
        revision: 1,
        more: false,
      })
    })
    it('returns values as written, also when replaced since', async () => {
      await create('/a')
      for (let revision = 1; revision < 4; revision++) {
        await opened().update('/a', template(`v${revision}`), revision)
      }
      const page = await opened().changes('/', 1, 2)
      expect(page.changes.map(showChange)).to.deep.equal([
        '2 /a v1@2! was /a=v@1!',
        '3 /a v2@3! was /a=v1@2!',
      ])
    })
    it('is not disturbed by a write that commits during the read', async () => {
      await create('/a')
      const reading = opened().changes('/', 0, 5)
      await opened().update('/a', template('two'), 1)
      const page = await reading
      expect(page.changes.map(showChange)).to.deep.equal(['1 /a v@1! was nothing'])
      expect(page.revision).to.equal(1)
    })
    it('returns an empty page for a `since` in the future', async () => {
      expect(await opened().changes('', 3, 5)).to.deep.equal({
        changes: [],
        revision: 3,
        more: false,
      })
    })
  })

  it('refuses to watch below the compacted revision: Compacted', async () => {
    await Promise.all([create('/a'), create('/b')])
    await opened().compact(2)
    await refuses(() => opened().watch('', 1, () => {}), 'Compacted', { revision: 2 })
    await refuses(() => opened().changes('', 1, 5), 'Compacted', { revision: 2 })
    expect((await watch('', 2)).calls).to.deep.equal([])
  })
}
