import { expect } from 'chai'
import { PendingLogins } from '../../../apiserver/platform/logins/pendingLogins.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

describe('PendingLogins', () => {
  function open() {
    const clock = new FakeClock()
    const pending = new PendingLogins(clock, realRandom)
    const begin = (address = '10.0.0.1') => {
      const names = pending.names()
      pending.add(names, { connector: 'oidc', kept: 'x', target: { isCli: false }, address })
      return names
    }
    return { clock, pending, begin }
  }

  it('gives back what was kept, once', () => {
    const { pending, begin } = open()
    const { state, browserSecret } = begin()
    expect(pending.take(state, 'oidc', browserSecret).kept).to.equal('x')
    expect(() => pending.take(state, 'oidc', browserSecret)).to.throw('not known any more')
  })

  it('refuses another connector, another browser, and what took too long', () => {
    const { clock, pending, begin } = open()
    const first = begin()
    expect(() => pending.take(first.state, 'saml', first.browserSecret)).to.throw('not known')
    const second = begin()
    expect(() => pending.take(second.state, 'oidc', first.browserSecret)).to.throw(
      'another browser',
    )
    const third = begin()
    clock.advance(600_000)
    expect(() => pending.take(third.state, 'oidc', third.browserSecret)).to.throw('not known')
  })

  it('is bounded: for one address, and for all', () => {
    const { clock, pending, begin } = open()
    for (let n = 0; n < 1000; n++) begin()
    expect(() => begin()).to.throw('too many logins were started from this address')
    const early = begin('10.0.0.2')
    for (let n = 0; n < 10_000; n++) begin(`10.1.${n >> 8}.${n & 255}`)
    expect(() => pending.take(early.state, 'oidc', early.browserSecret)).to.throw('not known')
    clock.advance(600_000)
    begin()
  })
})
