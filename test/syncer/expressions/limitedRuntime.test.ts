import { expect } from 'chai'
import { limitedRuntime } from '../../../syncer/expressions/limitedRuntime.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { scope } from '../sandbox.ts'

describe('limitedRuntime', () => {
  const clock = new FakeClock()
  let usedMs: number | undefined
  const runtime = {
    evaluate: () => Promise.resolve([1]),
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
    usedMs: () => usedMs,
  }
  const limited = () => limitedRuntime(runtime, clock, { timeMs: 100, resultBytes: 1_000 })
  const outcome = (of: ReturnType<typeof limited>) =>
    of.evaluate('1', [], scope).then(
      () => 'fine',
      (error: unknown) => String(error),
    )
  const late = 'ExpressionError: the expressions took more than 100 ms in all'

  it('counts processor time, however busy the machine is', async () => {
    usedMs = 7
    const work = limited()
    clock.advance(60_000)
    expect(await outcome(work)).to.equal('fine')
    usedMs = 200
    expect(await outcome(work)).to.equal(late)
  })

  it('counts wall time if processor time is unknown', async () => {
    usedMs = undefined
    const work = limited()
    clock.advance(101)
    expect(await outcome(work)).to.equal(late)
  })
})
