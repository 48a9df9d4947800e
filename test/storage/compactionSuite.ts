import { expect } from 'chai'
import type { Storage } from '../../apiserver/storage/storage.ts'
import { refuses, show, showChange, template } from './values.ts'

export function describeCompaction(opened: () => Storage): void {
  const writeSome = async (): Promise<void> => {
    await opened().create('/a', template('one'))
    await opened().update('/a', template('two'), 1)
    await opened().create('/b', template('b'))
    await opened().update('/a', template('four'), 2)
  }

  describe('compact', () => {
    it('keeps the newest state and everything above the revision', async () => {
      await writeSome()
      await opened().compact(2)
      expect(opened().compactedRevision).to.equal(2)
      expect(show(await opened().get('/a'))).to.equal('/a=four@4!')
      expect(show(await opened().get('/a', { revision: 2 }))).to.equal('/a=two@2!')
      const page = await opened().changes('', 2, 10)
      expect(page.changes.map(showChange)).to.deep.equal([
        '3 /b b@3! was nothing',
        '4 /a four@4! was /a=two@2!',
      ])
    })
    it('refuses reads below it: Compacted with the oldest readable revision', async () => {
      await writeSome()
      await opened().compact(2)
      await refuses(() => opened().get('/a', { revision: 1 }), 'Compacted', { revision: 2 })
      await refuses(() => opened().list({ prefix: '' }, { revision: 1 }), 'Compacted', {
        revision: 2,
      })
    })
    it('accepts the newest revision, and writes continue from there', async () => {
      await writeSome()
      await opened().compact(4)
      await opened().update('/b', template('bb'), 3)
      const page = await opened().changes('', 4, 10)
      expect(page.changes.map(showChange)).to.deep.equal(['5 /b bb@5! was /b=b@3!'])
      expect(show(await opened().get('/b', { revision: 4 }))).to.equal('/b=b@3!')
    })
    it('does nothing for a lower revision than before', async () => {
      await writeSome()
      await opened().compact(3)
      await opened().compact(1)
      expect(opened().compactedRevision).to.equal(3)
    })
    it('refuses a revision above the newest: FutureRevision', async () => {
      await writeSome()
      await refuses(() => opened().compact(5), 'FutureRevision', { revision: 4 })
      expect(opened().compactedRevision).to.equal(0)
    })
    it('allows concurrent writes', async () => {
      const create = (i: number): Promise<unknown> => opened().create(`/n/${i}`, template('n'))
      await Promise.all(Array.from({ length: 5000 }, (_, i) => create(i)))
      const compacting = opened().compact(5000)
      await Promise.all([create(5000), create(5001)])
      await compacting
      expect([opened().compactedRevision, opened().revision]).to.deep.equal([5000, 5002])
      expect((await opened().list({ prefix: '/n/' })).items.length).to.equal(5002)
    })
    it('does not disturb a live watch', async () => {
      const seen: number[] = []
      await opened().watch('', 0, (changes) => void seen.push(...changes.map((c) => c.revision)))
      await writeSome()
      await opened().compact(4)
      await opened().create('/c', template('c'))
      expect(seen).to.deep.equal([1, 2, 3, 4, 5])
    })
  })
}
