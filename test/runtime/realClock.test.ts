import { expect } from 'chai'
import { realClock } from '../../apiserver/runtime/realClock.ts'

describe('realClock', () => {
  it('calls back after the delay', async () => {
    const start = realClock.now()
    await new Promise<void>((done) => realClock.setTimer(done, 2))
    expect(realClock.now()).to.be.at.least(start + 1)
  })

  it("does not fire a delay beyond Node's limit at once", async () => {
    let fired = false
    const timer = realClock.setTimer(() => (fired = true), 2 ** 32)
    await new Promise<void>((done) => realClock.setTimer(done, 5))
    timer.cancel()
    expect(fired).to.equal(false)
  })
})
