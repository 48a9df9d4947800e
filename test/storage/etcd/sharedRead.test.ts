import { expect } from 'chai'
import { SharedRead } from '../../../apiserver/storage/etcd/sharedRead.ts'

/** A read whose runs end when the test says so. */
class Reads {
  readonly ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  readonly shared = new SharedRead(
    () => new Promise((resolve, reject) => void this.ends.push({ resolve, reject })),
  )
}

/** Two turns: the first one may have begun. */
async function turn(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

describe('SharedRead', () => {
  it('starts one read for all calls of a turn', async () => {
    const { ends, shared } = new Reads()
    const calls = [shared.ask(), shared.ask(), shared.ask()]
    expect(ends).to.have.lengthOf(0)
    await turn()
    expect(ends).to.have.lengthOf(1)
    ends[0]?.resolve()
    await Promise.all(calls)
    expect(ends).to.have.lengthOf(1)
  })

  it('starts the next read for calls during a read, after it has ended', async () => {
    const { ends, shared } = new Reads()
    const first = shared.ask()
    await turn()
    let isDone = false
    const late = Promise.all([shared.ask(), shared.ask()]).then(() => (isDone = true))
    await turn()
    expect(ends).to.have.lengthOf(1)
    ends[0]?.resolve()
    await first
    await turn()
    expect([ends.length, isDone]).to.deep.equal([2, false])
    ends[1]?.resolve()
    await late
  })

  it('reports the error of a read to its callers only', async () => {
    const { ends, shared } = new Reads()
    const first = shared.ask().catch((error: unknown) => error)
    await turn()
    const second = shared.ask()
    const error = new Error('no leader')
    ends[0]?.reject(error)
    expect(await first).to.equal(error)
    await turn()
    ends[1]?.resolve()
    await second
  })
})
