import { expect } from 'chai'
import { LoginThrottle } from '../../../../apiserver/platform/logins/limits/loginThrottle.ts'
import { SharedBuckets } from '../../../../apiserver/platform/logins/limits/sharedBuckets.ts'
import { StatusError } from '../../../../apiserver/meta/status.ts'
import { LevelStorage } from '../../../../apiserver/storage/level/levelStorage.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'

async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return `${error.code} ${error.details?.retryAfterSeconds}`
  }
}

function failed(error: unknown): never {
  throw error
}

for (const where of ['one server', 'a shared storage'])
  describe(`LoginThrottle of ${where}`, () => {
    let clock: FakeClock
    let storage: LevelStorage
    beforeEach(async () => {
      clock = new FakeClock()
      storage = await LevelStorage.open({ location: undefined, clock })
    })
    afterEach(() => storage.close())

    /** Creates another throttle, as of another server. */
    const open = () => {
      const shared = where === 'one server' ? undefined : new SharedBuckets(storage, clock)
      return new LoginThrottle({ clock, shared, subject: 'login', report: failed })
    }

    it('allows ten attempts per address and account, then one in ten seconds', async () => {
      const throttle = open()
      for (let n = 0; n < 10; n++) await throttle.take('10.0.0.1', 'jane')
      expect(await outcome(throttle.take('10.0.0.1', 'Jane'))).to.equal('429 10')
      expect(await outcome(throttle.take('10.0.0.1', 'other'))).to.equal('ok')
      clock.advance(10_000)
      expect(await outcome(throttle.take('10.0.0.1', 'jane'))).to.equal('ok')
      expect(await outcome(throttle.take('10.0.0.1', 'jane'))).to.equal('429 10')
    })

    it('does not lock out an address for attempts of another, and bounds their sum', async () => {
      const throttle = open()
      for (let n = 0; n < 10; n++) await throttle.take('10.0.0.1', 'jane')
      expect(await outcome(throttle.take('10.0.0.1', 'jane'))).to.equal('429 10')
      expect(await outcome(throttle.take('10.0.0.2', 'jane'))).to.equal('ok')
      for (let n = 0; n < 89; n++) await throttle.take(`10.0.1.${n}`, 'jane')
      expect(await outcome(throttle.take('10.0.2.1', 'jane'))).to.equal('429 6')
      expect(await outcome(throttle.take('10.0.2.1', 'other'))).to.equal('ok')
    })

    it('allows two hundred of 1,000 wrong logins a minute from one address', async () => {
      const throttle = open()
      let tried = 0
      for (let n = 0; n < 1000; n++) {
        if ((await outcome(throttle.take('10.0.0.1', `user-${n}`))) === 'ok') tried++
        clock.advance(60)
      }
      expect(tried).to.be.within(195, 200)
    })

    it('does not limit 1,000 successful logins a minute', async () => {
      const throttle = open()
      for (let n = 0; n < 1000; n++) {
        const attempt = await throttle.take('10.0.0.1', 'jane')
        await attempt.putBack()
        clock.advance(60)
      }
    })

    it('counts the addresses of one IPv6 network as one', async () => {
      const throttle = open()
      for (let n = 0; n < 100; n++) await throttle.take(`2001:db8:1:2::${n}`)
      expect(await outcome(throttle.take('2001:db8:1:2:3::9'))).to.equal('429 1')
      expect(await outcome(throttle.take('2001:db8:1:3::9'))).to.equal('ok')
    })

    if (where === 'one server') return

    it('counts the attempts at all servers, even concurrent ones', async () => {
      const throttles = [open(), open(), open()]
      const attempts = Array.from({ length: 60 }, (_, n) =>
        outcome(throttles[n % 3]?.take('10.0.0.1', 'jane') ?? Promise.reject(new Error())),
      )
      const outcomes = await Promise.all(attempts)
      expect(outcomes.filter((each) => each === 'ok').length).to.equal(10)
      expect(await outcome(open().take('10.0.0.1', 'jane'))).to.equal('429 10')
    })

    it('refunds a successful attempt at all servers, and changes no other limits', async () => {
      const [one, two] = [open(), open()]
      const attempts = []
      for (let n = 0; n < 10; n++) attempts.push(await one.take('10.0.0.1', 'jane'))
      expect(await outcome(two.take('10.0.0.1', 'jane'))).to.equal('429 10')
      for (const attempt of attempts) await attempt.putBack()
      for (let n = 0; n < 10; n++) await two.take('10.0.0.1', 'jane')
      // 10 of 100 remain for the address: refused and returned attempts are not counted.
      for (let n = 0; n < 90; n++) await one.take('10.0.0.1', `user-${n}`)
      expect(await outcome(two.take('10.0.0.1', 'more'))).to.equal('429 1')
    })

    it('is not refilled by a server whose clock is ahead', async () => {
      const ahead = new FakeClock()
      ahead.advance(3_600_000)
      const shared = new SharedBuckets(storage, ahead)
      const other = new LoginThrottle({ clock: ahead, shared, subject: 'login', report: failed })
      const throttle = open()
      for (let n = 0; n < 5; n++) {
        await throttle.take('10.0.0.1', 'jane')
        await other.take('10.0.0.1', 'jane')
      }
      // The first account of the other server has been refilled for one hour.
      let tried = 0
      for (let n = 0; n < 30; n++)
        if ((await outcome((n % 2 ? throttle : other).take('10.0.0.1', 'jane'))) === 'ok') tried++
      expect(tried).to.be.at.most(10)
    })
  })
