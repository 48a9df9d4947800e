import { expect } from 'chai'
import { withCondition, withoutCondition, type Condition } from '../../apiserver/meta/condition.ts'

const start = Date.UTC(2030, 0, 1)
const other: Condition = { type: 'Other', status: 'True' }
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  lastTransitionTime: '2030-01-01T00:00:00Z',
  reason: 'Synced',
  message: 'm',
}

describe('conditions', () => {
  it('are added at the end', () => {
    const { lastTransitionTime: _, ...wanted } = ready
    expect(withCondition([other], wanted, start)).to.deep.equal([other, ready])
  })

  it('are unchanged when set again later', () => {
    const { lastTransitionTime: _, ...wanted } = ready
    const again = withCondition([ready, other], wanted, start + 60_000)
    expect(JSON.stringify(again)).to.equal(JSON.stringify([ready, other]))
  })

  it('keep their time with another reason, and get a new one with another status', () => {
    const reason = withCondition([ready], { type: 'Ready', status: 'True' }, start + 60_000)
    const status = withCondition(
      [ready],
      { type: 'Ready', status: 'False', severity: 'Error' },
      start + 60_000,
    )
    expect([reason, status]).to.deep.equal([
      [{ type: 'Ready', status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z' }],
      [
        {
          type: 'Ready',
          status: 'False',
          severity: 'Error',
          lastTransitionTime: '2030-01-01T00:01:00Z',
        },
      ],
    ])
  })

  it('are removed by type', () => {
    expect(withoutCondition([ready, other], 'Ready')).to.deep.equal([other])
  })
})
