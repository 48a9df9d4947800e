import { expect } from 'chai'
import { bounded, DeadlineError } from '../../../apiserver/meta/waiting/bounded.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const never = () => new Promise<never>(() => undefined)
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('bounded', () => {
  const clock = new FakeClock()
  const bounds = { clock, ms: 30_000, what: 'opening it' }
  afterEach(() => expect(clock.timers).to.equal(0))

  it('returns the result of the work', async () => {
    expect(await bounded(bounds, () => Promise.resolve(1))).to.equal(1)
  })

  it('ends an endless wait, and aborts the work', async () => {
    let told: AbortSignal | undefined
    const waiting = failureOf(
      bounded(bounds, (signal) => {
        told = signal
        return never()
      }),
    )
    clock.advance(30_000)
    const error = await waiting
    expect(error).to.be.instanceOf(DeadlineError)
    expect(error).to.have.property('message', 'opening it took more than 30 s')
    expect(told?.reason).to.equal(error)
  })

  it('ends on any of the signals, with its reason', async () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const signals = [one.signal, two.signal]
    const waiting = failureOf(bounded({ ...bounds, signals }, never))
    const reason = new Error('the server stops')
    two.abort(reason)
    expect(await waiting).to.equal(reason)
    expect(await failureOf(bounded({ ...bounds, signals }, never))).to.equal(reason)
  })

  it('ignores a failure of the work after the end', async () => {
    const { promise, reject } = withReject()
    const waiting = failureOf(bounded(bounds, () => promise))
    clock.advance(30_000)
    await waiting
    reject(new Error('late'))
    await new Promise((resolve) => setImmediate(resolve))
  })
})

function withReject(): { promise: Promise<never>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<never>((_, refuse) => (reject = refuse))
  return { promise, reject }
}
