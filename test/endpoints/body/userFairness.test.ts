import { expect } from 'chai'
import { UserFairness } from '../../../apiserver/endpoints/body/userFairness.ts'

const large = 1024 * 1024

describe('UserFairness', () => {
  it("alternates between callers, and keeps the order of each caller's requests", async () => {
    const turns = new UserFairness()
    const order: string[] = []
    const wait = (caller: string, what: string) =>
      turns.next(caller, large)?.then(() => order.push(what))
    await Promise.all([wait('a', 'a1'), wait('a', 'a2'), wait('a', 'a3'), wait('b', 'b1')])
    expect(order).to.deep.equal(['a1', 'b1', 'a2', 'a3'])
  })

  it('yields to the event loop between two large tasks', async () => {
    const turns = new UserFairness()
    const order: string[] = []
    const first = turns.next('a', large)?.then(() => {
      order.push('first')
      setImmediate(() => order.push('another'))
    })
    const second = turns.next('a', large)?.then(() => order.push('second'))
    await Promise.all([first, second])
    expect(order).to.deep.equal(['first', 'another', 'second'])
  })

  it('runs several small tasks in one turn while their sum is small', async () => {
    const turns = new UserFairness()
    const order: string[] = []
    const wait = (what: string) =>
      turns.next('a', 20 * 1024)?.then(() => {
        if (order.length === 0) setImmediate(() => order.push('another'))
        order.push(what)
      })
    await Promise.all([wait('1'), wait('2'), wait('3'), wait('4')])
    expect(order).to.deep.equal(['1', '2', '3', 'another', '4'])
  })

  it('runs small tasks at once', () => {
    expect(new UserFairness().next('a', 8 * 1024)).to.equal(undefined)
  })

  it('resumes after being idle', async () => {
    const turns = new UserFairness()
    await turns.next('a', large)
    await turns.next('a', large)
  })
})
