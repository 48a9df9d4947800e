import { expect } from 'chai'
import { turnEnd } from '../../../apiserver/endpoints/response/turnEnd.ts'

describe('turnEnd', () => {
  it('resolves once for all waiters of a turn, in the order of arrival', async () => {
    const order: string[] = []
    const first = turnEnd().then(() => order.push('first'))
    const second = turnEnd().then(() => order.push('second'))
    queueMicrotask(() => order.push('microtask'))
    setImmediate(() => order.push('later'))
    await Promise.all([first, second])
    expect(order).to.deep.equal(['microtask', 'first', 'second'])
  })

  it('resolves again in the next turn', async () => {
    const first = turnEnd()
    await first
    const second = turnEnd()
    expect(second).not.to.equal(first)
    await second
  })
})
