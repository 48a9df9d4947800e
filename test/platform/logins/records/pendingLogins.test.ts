import { expect } from 'chai'
import { LocalLoginRecords } from '../../../../apiserver/platform/logins/records/loginRecords.ts'
import { PendingLogins } from '../../../../apiserver/platform/logins/records/pendingLogins.ts'
import { realRandom } from '../../../../apiserver/runtime/realRandom.ts'
import { refusal } from '../../../support/refusal.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'

const unknown =
  'this login is not known any more: it was used, took too long, or was started in another browser; please begin again'
const secret = 'ab'.repeat(32)

describe('PendingLogins', () => {
  function open(given = secret) {
    const clock = new FakeClock()
    const records = new LocalLoginRecords(clock)
    const options = { clock, random: realRandom, records, secret: () => Promise.resolve(given) }
    const pending = new PendingLogins(options)
    const begin = async (target = { isCli: false }) => {
      const state = pending.newState()
      return { state, cookie: await pending.seal(state, 'oidc', { kept: { nonce: 'x' }, target }) }
    }
    return { clock, pending, begin, options }
  }

  it('returns the sealed content once', async () => {
    const { pending, begin } = open()
    const { state, cookie } = await begin()
    expect(cookie).to.match(/^[\w-]+$/)
    const { kept, target } = await pending.take(state, 'oidc', cookie)
    expect({ kept, target }).to.deep.equal({ kept: { nonce: 'x' }, target: { isCli: false } })
    expect(await said(pending.take(state, 'oidc', cookie))).to.equal(unknown)
  })

  it('completes at another server what one has begun, once', async () => {
    const { begin, options } = open()
    const { state, cookie } = await begin()
    const tries = [1, 2, 3].map(() => new PendingLogins(options).take(state, 'oidc', cookie))
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(1)
  })

  it('refuses another connector, another login of the browser, no cookie, and an expired one', async () => {
    const { clock, pending, begin } = open()
    const first = await begin()
    const second = await begin()
    expect(await said(pending.take(first.state, 'saml', first.cookie))).to.equal(unknown)
    expect(await said(pending.take(first.state, 'oidc', second.cookie))).to.equal(unknown)
    expect(await said(pending.take(first.state, 'oidc', ''))).to.equal(unknown)
    // Refused attempts of other users do not end the login.
    await pending.take(first.state, 'oidc', first.cookie)
    clock.advance(600_000)
    expect(await said(pending.take(second.state, 'oidc', second.cookie))).to.equal(unknown)
  })

  it('refuses a cookie that was changed, cut, or sealed with another key', async () => {
    const { pending, begin } = open()
    const { state, cookie } = await begin()
    for (let at = 0; at < cookie.length; at += 7) {
      const other = cookie[at] === 'A' ? 'B' : 'A'
      const changed = cookie.slice(0, at) + other + cookie.slice(at + 1)
      expect(await said(pending.take(state, 'oidc', changed)), String(at)).to.equal(unknown)
      expect(await said(pending.take(state, 'oidc', cookie.slice(0, at)))).to.equal(unknown)
    }
    const strange = await open('cd'.repeat(32)).pending.seal(state, 'oidc', {
      kept: 'x',
      target: { isCli: false },
    })
    expect(await said(pending.take(state, 'oidc', strange))).to.equal(unknown)
  })

  it('refuses a login that does not fit into a cookie', async () => {
    const { begin } = open()
    const client = { challenge: 'c', state: 's', redirect: `http://127.0.0.1/${'x'.repeat(4000)}` }
    expect(await said(begin({ isCli: true, client } as never))).to.equal(
      'the parameters of the login are too long',
    )
  })
})

async function said(work: Promise<unknown>): Promise<string> {
  return (await refusal(work)).message ?? ''
}
