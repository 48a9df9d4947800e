import { expect } from 'chai'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { LoginServer } from './support/loginServer.ts'

describe('the lifetime of a login', function () {
  this.timeout(20_000)
  let server: LoginServer
  let clock: FakeClock

  beforeEach(async () => {
    clock = new FakeClock()
    server = await LoginServer.start({ adminPassword: 'pw' }, { clock })
  })
  afterEach(() => server.stop())

  const logIn = async () =>
    ((await server.passwordLogin('admin', 'pw')).value as { accessKey: string }).accessKey
  const statusOf = async (key: string) =>
    (await server.request('GET', '/apis/management.platform/v1/users', undefined, key)).status

  for (const { name, auth, seconds } of [
    {
      name: 'no key lives longer, the key of a login neither (spec config.auth.accessKeyMaxTTLSeconds, limit.accessKeyMaxTTLSeconds)',
      auth: { accessKeyMaxTTLSeconds: 300 },
      seconds: 300,
    },
    {
      name: 'the key of a login ends after it (spec config.auth.loginAccessKeyTTLSeconds)',
      auth: { loginAccessKeyTTLSeconds: 200 },
      seconds: 200,
    },
    {
      name: 'after twenty days where nothing is set (spec config.auth.loginAccessKeyTTLSeconds)',
      auth: {},
      seconds: 1_728_000,
    },
  ]) {
    it(name, async () => {
      await server.configure({ auth })
      const key = await logIn()
      clock.advance((seconds - 2) * 1000)
      expect(await statusOf(key)).to.equal(200)
      clock.advance(3_000)
      expect(await statusOf(key)).to.equal(401)
    })
  }

  it('is unlimited for zero (spec config.auth.loginAccessKeyTTLSeconds)', async () => {
    await server.configure({ auth: { loginAccessKeyTTLSeconds: 0 } })
    const key = await logIn()
    clock.advance(25 * 24 * 3_600_000)
    expect(await statusOf(key)).to.equal(200)
  })
})
