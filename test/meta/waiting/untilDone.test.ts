import { expect } from 'chai'
import { untilDone } from '../../../apiserver/meta/waiting/untilDone.ts'

describe('untilDone', () => {
  it('runs once, and again after a failure', async () => {
    let runs = 0
    const done = untilDone(() => {
      runs++
      return runs === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve()
    })
    const outcomes = await Promise.allSettled([done(), done()])
    expect([runs, ...outcomes.map(({ status }) => status)]).to.deep.equal([
      1,
      'rejected',
      'rejected',
    ])
    await Promise.all([done(), done()])
    await done()
    expect(runs).to.equal(2)
  })
})
