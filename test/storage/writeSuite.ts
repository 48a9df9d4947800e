import { expect } from 'chai'
import type { Storage } from '../../apiserver/storage/storage.ts'
import { refuses, show, showChange, template } from './values.ts'
import { whereRevisionsArePredicted, type StorageFeatures } from './predictedRevisions.ts'

export function describeWrites(opened: () => Storage, features: StorageFeatures): void {
  const itPredicts = whereRevisionsArePredicted(features)
  describe('create', () => {
    it('returns the value, whose bytes contain its revision', async () => {
      const stored = await opened().create('/a', { before: '{"rv":"', after: '","ü":"😀"}' })
      expect(stored.revision).to.equal(1)
      expect(show(stored)).to.equal('/a={"rv":"1","ü":"😀"}')
      expect(show(await opened().get('/a'))).to.equal(show(stored))
    })
    it('refuses an existing key: KeyExists with its revision', async () => {
      await opened().create('/a', template('one'))
      const again = (): unknown => opened().create('/a', template('two'))
      await refuses(again, 'KeyExists', { key: '/a', revision: 1 })
      expect(opened().revision).to.equal(1)
    })
    itPredicts(
      'checks in the turn of the call: the second of two in one turn is refused',
      async () => {
        const first = opened().create('/a', template('one'))
        await refuses(() => opened().create('/a', template('two')), 'KeyExists', { revision: 1 })
        expect(show(await first)).to.equal('/a=one@1!')
      },
    )
    it('accepts a key with a pending deletion', async () => {
      await opened().create('/a', template('one'))
      const gone = opened().delete('/a', 1)
      const back = await opened().create('/a', template('two'))
      expect([await gone, back.revision]).to.deep.equal([2, 3])
      expect(show(await opened().get('/a'))).to.equal('/a=two@3!')
    })
  })

  describe('update', () => {
    it('replaces the value at the expected revision', async () => {
      await opened().create('/a', template('one'))
      expect(show(await opened().update('/a', template('two'), 1))).to.equal('/a=two@2!')
      expect(show(await opened().get('/a'))).to.equal('/a=two@2!')
    })
    it('refuses a missing key: KeyNotFound', () =>
      refuses(() => opened().update('/a', template('x'), 0), 'KeyNotFound', { key: '/a' }))
    it('refuses another revision: RevisionConflict with the newest', async () => {
      await opened().create('/a', template('one'))
      await opened().update('/a', template('two'), 1)
      const stale = (): unknown => opened().update('/a', template('x'), 1)
      await refuses(stale, 'RevisionConflict', { key: '/a', revision: 2 })
    })
    itPredicts('checks against writes on their way', async () => {
      const created = opened().create('/a', template('one'))
      const updated = opened().update('/a', template('two'), 1)
      await refuses(() => opened().update('/a', template('x'), 1), 'RevisionConflict', {
        revision: 2,
      })
      const gone = opened().delete('/a', 2)
      await refuses(() => opened().update('/a', template('x'), 2), 'KeyNotFound')
      await Promise.all([created, updated, gone])
      expect(await opened().get('/a')).to.equal(undefined)
    })
  })

  describe('delete', () => {
    it('returns the revision of the deletion', async () => {
      await opened().create('/a', template('one'))
      expect(await opened().delete('/a', 1)).to.equal(2)
      expect(opened().revision).to.equal(2)
      expect(await opened().get('/a')).to.equal(undefined)
    })
    it('refuses a missing key: KeyNotFound', () =>
      refuses(() => opened().delete('/a', 1), 'KeyNotFound', { key: '/a' }))
    it('refuses another revision: RevisionConflict', async () => {
      await opened().create('/a', template('one'))
      await refuses(() => opened().delete('/a', 7), 'RevisionConflict', { revision: 1 })
      expect(show(await opened().get('/a'))).to.equal('/a=one@1!')
    })
  })

  describe('newest', () => {
    itPredicts('shows writes on their way, which get does not', async () => {
      const created = opened().create('/a', template('one'))
      expect(show(opened().newest('/a'))).to.equal('/a=one@1!')
      expect(await opened().get('/a')).to.equal(undefined)
      expect(opened().revision).to.equal(0)
      await created
      const gone = opened().delete('/a', 1)
      expect(opened().newest('/a')).to.equal(undefined)
      expect(show(await opened().get('/a'))).to.equal('/a=one@1!')
      await gone
      expect(opened().newest('/a')).to.equal(undefined)
    })
    it('returns the committed value once a write has ended', async () => {
      await opened().create('/a', template('one'))
      expect(show(opened().newest('/a'))).to.equal('/a=one@1!')
    })
  })

  describe('pendingRevision', () => {
    itPredicts('is that of the newest write on its way, of a key and of all', async () => {
      const created = [opened().create('/a', template('one')), opened().create('/b', template('b'))]
      const changed = opened().update('/a', template('two'), 1)
      const pending = ['/a', '/b', '/c', undefined].map((key) => opened().pendingRevision(key))
      expect(pending).to.deep.equal([3, 2, 0, 3])
      await Promise.all([...created, changed])
      expect([opened().pendingRevision('/a'), opened().pendingRevision()]).to.deep.equal([0, 0])
    })
    itPredicts('knows deletions, which newest does not show', async () => {
      await opened().create('/a', template('one'))
      const gone = opened().delete('/a', 1)
      expect([opened().newest('/a'), opened().pendingRevision('/a')]).to.deep.equal([undefined, 2])
      await opened().settled(2)
      expect([await opened().get('/a'), opened().pendingRevision('/a')]).to.deep.equal([
        undefined,
        0,
      ])
      await gone
    })
  })

  describe('settled', () => {
    itPredicts('resolves when the write of the revision is durable', async () => {
      const order: string[] = []
      const first = opened().create('/a', template('one'))
      void first.then(() => order.push('write'))
      expect(opened().revision).to.equal(0)
      await opened().settled(1)
      order.push('settled')
      expect(opened().revision).to.be.at.least(1)
      await first
      expect(order).to.have.members(['write', 'settled'])
    })
    it('resolves at once for a committed revision', async () => {
      await opened().create('/a', template('one'))
      await opened().settled(1)
      await opened().settled(0)
    })
    it('refuses a revision that is not pending: Unavailable', () =>
      refuses(() => opened().settled(1), 'Unavailable'))
  })

  describe('the revision', () => {
    it('is 0 before the first write, with nothing compacted', () => {
      expect([opened().revision, opened().compactedRevision]).to.deep.equal([0, 0])
    })
    itPredicts('grows by one with every write, in the order of the calls', async () => {
      const ended: number[] = []
      const writes = Array.from({ length: 300 }, async (_, i) => {
        const { revision } = await opened().create(`/k/${i}`, template('v'))
        ended.push(revision)
        return revision
      })
      const numbers = Array.from({ length: 300 }, (_, i) => i + 1)
      expect(await Promise.all(writes)).to.deep.equal(numbers)
      expect(ended).to.deep.equal(numbers)
      expect(opened().revision).to.equal(300)
    })
    it('is not consumed by a refused write', async () => {
      await refuses(() => opened().delete('/none', 1), 'KeyNotFound')
      expect((await opened().create('/a', template('one'))).revision).to.equal(1)
    })
  })

  describe('close', () => {
    it('waits for pending writes', async () => {
      const written = opened().create('/a', template('one'))
      await opened().close()
      expect(show(await written)).to.equal('/a=one@1!')
    })
    const calls: { name: string; call: () => unknown }[] = [
      { name: 'create', call: () => opened().create('/b', template('x')) },
      { name: 'update', call: () => opened().update('/a', template('x'), 1) },
      { name: 'delete', call: () => opened().delete('/a', 1) },
      { name: 'newest', call: () => opened().newest('/a') },
      { name: 'settled', call: () => opened().settled(1) },
      { name: 'get', call: () => opened().get('/a') },
      { name: 'list', call: () => opened().list({ prefix: '' }) },
      { name: 'watch', call: () => opened().watch('', 0, () => {}) },
      { name: 'changes', call: () => opened().changes('', 0, 10) },
      { name: 'compact', call: () => opened().compact(1) },
      { name: 'ready', call: () => opened().ready() },
    ]
    for (const { name, call } of calls) {
      it(`makes ${name} throw Unavailable`, async () => {
        await opened().create('/a', template('one'))
        opened().ready()
        await opened().close()
        await refuses(call, 'Unavailable', { message: /closed/ })
      })
    }
    it('may be called again', async () => {
      await opened().close()
      await opened().close()
    })
  })

  it('leaves the history of what was written, previous values included', async () => {
    await opened().create('/a', template('one'))
    await opened().update('/a', template('two'), 1)
    await opened().delete('/a', 2)
    await opened().create('/a', template('three'))
    const { changes } = await opened().changes('', 0, 100)
    expect(changes.map(showChange)).to.deep.equal([
      '1 /a one@1! was nothing',
      '2 /a two@2! was /a=one@1!',
      '3 /a deleted was /a=two@2!',
      '4 /a three@4! was nothing',
    ])
  })
}
