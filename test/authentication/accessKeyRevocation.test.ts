import { expect } from 'chai'
import { AccessKeyAuthenticator } from '../../apiserver/authentication/accessKeys/accessKeyAuthenticator.ts'
import type { AccessKeyLimits } from '../../apiserver/authentication/accessKeys/accessKeyLifetime.ts'
import { Identities } from '../../apiserver/authentication/identities.ts'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { KeyStores } from '../support/accessKeys.ts'

describe('AccessKeyAuthenticator revokes keys', () => {
  let world: KeyStores
  let authenticator: AccessKeyAuthenticator
  let limits: AccessKeyLimits

  beforeEach(async () => {
    world = await KeyStores.open()
    limits = {}
    await world.addUser('jane')
    await world.addKey('k', { user: 'jane', key: 'secret' })
    await start()
  })

  afterEach(() => world.close())

  async function start(): Promise<void> {
    const { keys, users, teams, stores } = world
    const identities = new Identities({ names: defaultNames, users, teams })
    const options = { keys, identities, names: defaultNames, clock: stores.clock }
    authenticator = new AccessKeyAuthenticator({
      ...options,
      limits: () => limits,
      onUse: () => undefined,
    })
    await identities.start()
    await authenticator.start()
  }

  const setKey = (spec: Record<string, unknown>) => world.set(world.keys, 'k', spec)
  const setUser = (spec: Record<string, unknown>) => world.set(world.users, 'jane', spec)
  const remove = (store: Store, name: string) =>
    store.delete({ namespace: '', name }, {}, systemContext())
  const who = (token: string) => authenticator.authenticate(token)?.name
  const pass = (ms: number) => world.stores.clock.advance(ms)
  const centuriesLater = () => world.stores.clock.jumpTo(Date.UTC(3000, 0, 1))

  describe('by limits', () => {
    it('for every key, even one in use (spec auth.3, limit.accessKeyMaxTTLSeconds, config.auth.accessKeyMaxTTLSeconds)', async () => {
      await setKey({ ttl: 3_600, ttlAfterLastActivity: true })
      limits = { accessKeyMaxTTLSeconds: 90 }
      pass(89_999)
      expect(who('secret')).to.equal('jane')
      pass(1)
      expect(who('secret')).to.equal(undefined)
    })
    it('never for 0 (spec limit.accessKeyMaxTTLSeconds)', () => {
      limits = { accessKeyMaxTTLSeconds: 0 }
      centuriesLater()
      expect(who('secret')).to.equal('jane')
    })
    const day = 24 * 3_600_000
    const logins: { name: string; limits: AccessKeyLimits; livesMs: number }[] = [
      { name: '20 days where it is unset', limits: {}, livesMs: 20 * day },
      { name: 'as set', limits: { loginAccessKeyTTLSeconds: 60 }, livesMs: 60_000 },
      {
        name: 'the shorter of both',
        limits: { loginAccessKeyTTLSeconds: 60, accessKeyMaxTTLSeconds: 30 },
        livesMs: 30_000,
      },
    ]
    for (const { name, limits: given, livesMs } of logins) {
      it(`a login's key lives ${name} (spec limit.loginAccessKeyTTLSeconds)`, async () => {
        await setKey({ type: 'Login' })
        limits = given
        pass(livesMs - 1)
        expect(who('secret')).to.equal('jane')
        pass(1)
        expect(who('secret')).to.equal(undefined)
      })
    }
    it("a login's key never expires for 0 (spec limit.loginAccessKeyTTLSeconds)", async () => {
      await setKey({ type: 'Login' })
      limits = { loginAccessKeyTTLSeconds: 0 }
      centuriesLater()
      expect(who('secret')).to.equal('jane')
    })
    it('and reports the expiry of each key', async () => {
      await setKey({ ttl: 60 })
      const { uid = '' } = world.keys.newest({ namespace: '', name: 'k' }).object.metadata
      const ending = { name: 'k', uid, expiresAt: world.stores.clock.now() + 60_000 }
      expect([...authenticator.expiries()]).to.deep.equal([ending])
      expect([authenticator.expiry('k'), authenticator.expiry('x')]).to.deep.equal([
        ending,
        undefined,
      ])
    })
  })

  describe('tokenGeneration', () => {
    for (const type of ['Login', 'OIDCRefreshToken', 'Reset']) {
      it(`a change ends keys of type ${type}, even across a restart (spec auth.6, user.tokenGeneration)`, async () => {
        await world.addKey('login', { user: 'jane', key: 'token', type })
        expect(who('token')).to.equal('jane')
        await setUser({ tokenGeneration: 1 })
        expect(who('token')).to.equal(undefined)
        await start()
        expect(who('token')).to.equal(undefined)
        expect(authenticator.expiry('login')?.expiresAt).to.equal(0)
        await world.addKey('later', { user: 'jane', key: 'new', type })
        expect(who('new')).to.equal('jane')
      })
    }
    it('a change keeps keys created by users', async () => {
      await setUser({ tokenGeneration: 1 })
      expect(who('secret')).to.equal('jane')
    })
  })

  describe('onRevoked', () => {
    let ended: number

    beforeEach(() => {
      ended = 0
    })
    const wait = (token = 'secret') => {
      const user = authenticator.authenticate(token)
      if (user === undefined) throw new Error('the key is of no use')
      return authenticator.onRevoked(user, () => ended++)
    }

    const events: { name: string; event: () => Promise<unknown>; endsUse: boolean }[] = [
      { name: 'the key is disabled', event: () => setKey({ disabled: true }), endsUse: true },
      { name: 'the key is deleted', event: () => remove(world.keys, 'k'), endsUse: true },
      { name: 'the user is disabled', event: () => setUser({ disabled: true }), endsUse: true },
      { name: 'the user is deleted', event: () => remove(world.users, 'jane'), endsUse: true },
      { name: 'the key is replaced', event: () => setKey({ key: 'new' }), endsUse: false },
      {
        name: 'the key is given to a team',
        event: () => setKey({ team: 'red', user: '' }),
        endsUse: false,
      },
      {
        name: 'the key is narrowed',
        event: () => setKey({ scope: { projects: [{ project: 'blue' }] } }),
        endsUse: false,
      },
    ]
    for (const { name, event, endsUse } of events) {
      it(`fires once when ${name}`, async () => {
        await world.addTeam('red')
        wait()
        await event()
        expect(ended).to.equal(1)
        await world.addTeam('blue')
        expect(ended).to.equal(1)
      })
      if (!endsUse) continue
      it(`fires at once if ${name} before`, async () => {
        const user = authenticator.authenticate('secret')
        await event()
        if (user !== undefined) authenticator.onRevoked(user, () => ended++)
        expect(ended).to.equal(1)
      })
    }
    it('fires when the token generation changes (spec auth.6)', async () => {
      await world.addKey('login', { user: 'jane', key: 'token', type: 'Login' })
      wait('token')
      await setUser({ tokenGeneration: 7 })
      expect(ended).to.equal(1)
    })
    it('does not fire for other changes or other users', async () => {
      await world.addUser('joe')
      wait()
      await setKey({ displayName: 'x' })
      await setUser({ email: 'jane@example.com' })
      await world.set(world.users, 'joe', { disabled: true })
      await remove(world.users, 'joe')
      expect(ended).to.equal(0)
    })
    it('does not fire after unsubscribing', async () => {
      wait()()
      await remove(world.keys, 'k')
      expect(ended).to.equal(0)
    })
  })
})
