import { expect } from 'chai'
import { LoginThrottle } from '../../../apiserver/platform/logins/loginThrottle.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

function outcome(work: () => unknown): string {
  try {
    work()
    return 'ok'
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return `${error.code} ${error.details?.retryAfterSeconds}`
  }
}

describe('LoginThrottle', () => {
  it('lets an address try an account ten times, and then once in ten seconds', () => {
    const clock = new FakeClock()
    const throttle = new LoginThrottle(clock)
    for (let n = 0; n < 10; n++) throttle.take('10.0.0.1', 'jane')
    expect(outcome(() => throttle.take('10.0.0.1', 'Jane'))).to.equal('429 10')
    expect(outcome(() => throttle.take('10.0.0.1', 'other'))).to.equal('ok')
    clock.advance(10_000)
    expect(outcome(() => throttle.take('10.0.0.1', 'jane'))).to.equal('ok')
    expect(outcome(() => throttle.take('10.0.0.1', 'jane'))).to.equal('429 10')
  })

  it('shuts nobody out for what another address does, and bounds what all of them do', () => {
    const clock = new FakeClock()
    const throttle = new LoginThrottle(clock)
    for (let n = 0; n < 10; n++) throttle.take('10.0.0.1', 'jane')
    expect(outcome(() => throttle.take('10.0.0.1', 'jane'))).to.equal('429 10')
    expect(outcome(() => throttle.take('10.0.0.2', 'jane'))).to.equal('ok')
    for (let n = 0; n < 89; n++) throttle.take(`10.0.1.${n}`, 'jane')
    expect(outcome(() => throttle.take('10.0.2.1', 'jane'))).to.equal('429 6')
    expect(outcome(() => throttle.take('10.0.2.1', 'other'))).to.equal('ok')
  })

  it('of 1,000 wrong logins a minute from one address, two hundred are tried', () => {
    const clock = new FakeClock()
    const throttle = new LoginThrottle(clock)
    let tried = 0
    for (let n = 0; n < 1000; n++) {
      if (outcome(() => throttle.take('10.0.0.1', `user-${n}`)) === 'ok') tried++
      clock.advance(60)
    }
    expect(tried).to.be.within(195, 200)
  })

  it('1,000 right logins a minute cost nothing', () => {
    const clock = new FakeClock()
    const throttle = new LoginThrottle(clock)
    for (let n = 0; n < 1000; n++) {
      throttle.take('10.0.0.1', 'jane')()
      clock.advance(60)
    }
  })

  it('counts the addresses of one IPv6 network as one', () => {
    const throttle = new LoginThrottle(new FakeClock())
    for (let n = 0; n < 100; n++) throttle.take(`2001:db8:1:2::${n}`)
    expect(outcome(() => throttle.take('2001:db8:1:2:3::9'))).to.equal('429 1')
    expect(outcome(() => throttle.take('2001:db8:1:3::9'))).to.equal('ok')
  })
})
