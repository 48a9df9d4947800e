import { expect } from 'chai'
import { failureFields, SyncFailure } from '../../../syncer/engine/syncFailure.ts'

describe('failureFields', () => {
  it('names kind, namespace and name of the failed object, without a stack', () => {
    const object = { kind: 'Endpoints', namespace: 'default', name: 'db' }
    const failure = new SyncFailure(object, new TypeError('value is undefined'))
    expect(failureFields(failure)).to.deep.equal({ ...object, problem: 'value is undefined' })
  })

  it('names only the kind for a failed kind, and only the problem otherwise', () => {
    const kind = new SyncFailure({ kind: 'Secret', namespace: '', name: '' }, new Error('403'))
    expect(failureFields(kind)).to.deep.equal({ kind: 'Secret', problem: '403' })
    expect(failureFields('no answer')).to.deep.equal({ problem: 'no answer' })
  })
})
