import { expect } from 'chai'
import { Readers } from '../../../../apiserver/storage/level/image/readers.ts'

describe('Readers', () => {
  it('allows a fixed number of concurrent reads, and starts the next when one ends or fails', async () => {
    const readers = new Readers(2)
    let running = 0
    const most: number[] = []
    const read = (fails: boolean) =>
      readers.run(async () => {
        most.push(++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        if (fails) throw new Error('no')
      })
    const all = await Promise.allSettled([false, true, false, true, false].map(read))
    expect(
      all.map(({ status }) => status).filter((status) => status === 'rejected').length,
    ).to.equal(2)
    expect(Math.max(...most)).to.equal(2)
  })
})
