import { expect } from 'chai'
import { TurnEnd } from '../../../apiserver/endpoints/response/turnEnd.ts'

describe('TurnEnd', () => {
  const end = new TurnEnd()

  it('resolves once for all that wait in a turn, in their order', async () => {
    const order: string[] = []
    const first = end.wait().then(() => order.push('first'))
    const second = end.wait().then(() => order.push('second'))
    queueMicrotask(() => order.push('microtask'))
    setImmediate(() => order.push('later'))
    await Promise.all([first, second])
    expect(order).to.deep.equal(['microtask', 'first', 'second'])
  })

  it('resolves again in the next turn', async () => {
    const first = end.wait()
    await first
    const second = end.wait()
    expect(second).not.to.equal(first)
    await second
  })
})
