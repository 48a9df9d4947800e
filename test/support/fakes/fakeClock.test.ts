import { expect } from 'chai'
import { FakeClock } from './fakeClock.ts'
import { FakeRandom } from './fakeRandom.ts'

describe('FakeClock', () => {
  it('stands still until advanced', () => {
    const clock = new FakeClock(1000)
    expect(clock.now()).to.equal(1000)
    clock.advance(5)
    expect(clock.now()).to.equal(1005)
  })
  it('runs due callbacks in order, each at its time, including timers set meanwhile', () => {
    const clock = new FakeClock(0)
    const calls: string[] = []
    const note = (name: string) => () => void calls.push(`${name} at ${clock.now()}`)
    clock.setTimer(note('late'), 30)
    clock.setTimer(() => {
      note('early')()
      clock.setTimer(note('again'), 10)
    }, 10)
    clock.setTimer(note('cancelled'), 20).cancel()
    clock.setTimer(note('never'), 31)
    clock.advance(30)
    expect(calls).to.deep.equal(['early at 10', 'again at 20', 'late at 30'])
    expect(clock.timers).to.equal(1)
  })
  it('jumps without running callbacks', () => {
    const clock = new FakeClock(0)
    let called = false
    clock.setTimer(() => (called = true), 10)
    clock.jumpTo(1000)
    expect([called, clock.now()]).to.deep.equal([false, 1000])
    clock.advance(0)
    expect(called).to.equal(true)
  })
})

describe('FakeRandom', () => {
  it('returns the same sequence for the same seed, and another for another seed', () => {
    const take = (seed: number): unknown => {
      const random = new FakeRandom(seed)
      return [random.uuid(), random.bytes(5).toString('hex'), random.fraction()]
    }
    expect(take(1)).to.deep.equal(take(1))
    expect(take(1)).to.not.deep.equal(take(2))
  })
  it('returns version 4 UUIDs and fractions below 1', () => {
    const random = new FakeRandom()
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (let i = 0; i < 100; i++) {
      expect(random.uuid()).to.match(version4)
      expect(random.fraction()).to.be.within(0, 1 - Number.EPSILON)
    }
  })
})
