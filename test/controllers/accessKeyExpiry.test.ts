import { alwaysLeading } from '../../apiserver/runtime/leadership.ts'
import { expect } from 'chai'
import { openAccessKeys, type AccessKeys } from '../../apiserver/platform/accessKeys.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import { KeyStores } from '../support/accessKeys.ts'
import { eventually, turns } from '../support/eventually.ts'
import { change } from '../support/stores.ts'

describe('AccessKeyExpiry', () => {
  let world: KeyStores
  let accessKeys: AccessKeys
  let timersOfOthers: number

  beforeEach(async () => {
    world = await KeyStores.open()
    await world.addUser('jane')
    timersOfOthers = world.stores.clock.timers
  })

  afterEach(async () => {
    accessKeys.stop()
    await world.close()
  })

  async function start(): Promise<void> {
    const { keys, users, teams, stores } = world
    accessKeys = await openAccessKeys({
      leadership: alwaysLeading,
      ...{ names: defaultNames, keys, users, teams, clock: stores.clock },
      limits: () => world.limits,
      report: (error) => expect.fail(String(error)),
    })
  }

  const names = () =>
    [...world.keys.cache.all()].map(({ key }) => key.slice(world.keys.keyPrefix.length))
  const timers = () => world.stores.clock.timers - timersOfOthers
  const left = (...wanted: string[]) =>
    eventually(world.stores.clock, () => names().join() === wanted.join())
  const pass = (ms: number) => world.stores.clock.advance(ms)
  const add = (name: string, spec: Record<string, unknown> = {}) =>
    world.addKey(name, { user: 'jane', key: name, ...spec })

  it('deletes each key when it expires, with one timer for the next expiry', async () => {
    await start()
    await add('long', { ttl: 600 })
    await add('never')
    await add('short', { ttl: 60 })
    expect(timers()).to.equal(1)
    pass(59_999)
    await turns()
    expect(names()).to.deep.equal(['long', 'never', 'short'])
    pass(1)
    await left('long', 'never')
    pass(540_000)
    await left('never')
    expect(timers()).to.equal(0)
  })

  it('deletes keys at start that expired in the meantime', async () => {
    await add('short', { ttl: 60 })
    await add('never')
    pass(60_000)
    await start()
    await left('never')
  })

  it('keeps a key with ttlAfterLastActivity that is in use', async () => {
    await start()
    await add('used', { ttl: 60, ttlAfterLastActivity: true })
    for (let minute = 0; minute < 5; minute++) {
      pass(59_000)
      expect(accessKeys.authenticator.authenticate('used')?.name).to.equal('jane')
      await turns()
    }
    expect(names()).to.deep.equal(['used'])
    pass(60_000)
    await left()
  })

  it('follows changes of ttl', async () => {
    await start()
    await add('k', { ttl: 600 })
    await world.set(world.keys, 'k', { ttl: 60 })
    pass(60_000)
    await left()
  })

  it('follows changes of limits (spec limit.accessKeyMaxTTLSeconds, config.auth.loginAccessKeyTTLSeconds)', async () => {
    await start()
    await add('login', { type: 'Login' })
    await add('other')
    pass(100_000)
    world.limits = { loginAccessKeyTTLSeconds: 60 }
    accessKeys.limitsChanged()
    await left('other')
    world.limits = { accessKeyMaxTTLSeconds: 120 }
    accessKeys.limitsChanged()
    await turns()
    expect(names()).to.deep.equal(['other'])
    pass(20_000)
    await left()
  })

  it("deletes keys ended by the user's token generation (spec user.tokenGeneration)", async () => {
    await start()
    await add('login', { type: 'Login' })
    await add('own', { type: 'User' })
    await world.set(world.users, 'jane', { tokenGeneration: 2 })
    await left('own')
  })

  it('watches opened with a key end with it, even while its object remains (spec auth.2)', async () => {
    await start()
    await add('short', { ttl: 60 })
    await change(world.keys, { namespace: '', name: 'short' }, ({ metadata }) => {
      metadata.finalizers = ['example.com/kept']
    })
    const user = accessKeys.authenticator.authenticate('short')
    let ended = 0
    if (user !== undefined) accessKeys.authenticator.onRevoked(user, () => ended++)
    pass(59_999)
    expect(ended).to.equal(0)
    pass(1)
    expect(ended).to.equal(1)
    await turns()
    expect([names(), accessKeys.authenticator.authenticate('short'), ended]).to.deep.equal([
      ['short'],
      undefined,
      1,
    ])
  })

  it('deletes nothing after stop()', async () => {
    await start()
    await add('short', { ttl: 60 })
    accessKeys.stop()
    pass(60_000)
    await turns()
    expect(names()).to.deep.equal(['short'])
    expect(timers()).to.equal(0)
  })
})
