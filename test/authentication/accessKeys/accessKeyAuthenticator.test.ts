import { expect } from 'chai'
import { AccessKeyAuthenticator } from '../../../apiserver/authentication/accessKeys/accessKeyAuthenticator.ts'
import { storedAccessKey } from '../../../apiserver/authentication/accessKeys/accessKeyForm.ts'
import { Identities } from '../../../apiserver/authentication/identities.ts'
import type { AccessKeyLimits } from '../../../apiserver/authentication/accessKeys/accessKeyLifetime.ts'
import { AccessKeyActivity } from '../../../apiserver/controllers/accessKeyActivity.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import type { Store } from '../../../apiserver/registry/store.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { eventually, turns } from '../../support/eventually.ts'
import { KeyStores } from '../../support/accessKeys.ts'
import type { Stores } from '../../support/stores.ts'

const minuteMs = 60_000

describe('AccessKeyAuthenticator', () => {
  let world: KeyStores
  let stores: Stores
  let keys: Store
  let users: Store
  let teams: Store
  let authenticator: AccessKeyAuthenticator
  let uses: string[]
  let limits: AccessKeyLimits

  beforeEach(async () => {
    world = await KeyStores.open()
    ;({ stores, keys, users, teams } = world)
    limits = {}
    await addUser('jane', { groups: ['devs'] })
    await addKey('k', { user: 'jane', key: 'secret' })
    await start()
  })

  afterEach(() => world.close())

  async function start(onUse?: (name: string) => void): Promise<void> {
    uses = []
    const { clock } = stores
    const use = onUse ?? ((name: string) => void uses.push(name))
    const identities = new Identities({ names: defaultNames, users, teams })
    const options = { keys, identities, names: defaultNames, clock, limits: () => limits }
    authenticator = new AccessKeyAuthenticator({ ...options, onUse: use })
    await identities.start()
    await authenticator.start()
  }

  const addUser = (name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    world.addUser(name, spec)
  const addKey = (name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    world.addKey(name, spec)
  const set = (store: Store, name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    world.set(store, name, spec)
  const remove = (store: Store, name: string) =>
    store.delete({ namespace: '', name }, {}, systemContext())
  const who = (token: string) => authenticator.authenticate(token)?.name
  const groupsOf = (token: string) => authenticator.authenticate(token)?.groups
  const pass = (ms: number) => stores.clock.advance(ms)
  const everyone = ['system:authenticated', 'platform:authenticated']
  const ofJane = [...everyone, 'platform:user:*', 'platform:user:jane']

  it("authenticates the key's user, with the groups of both (spec key.key, key.user, key.groups, user.groups)", async () => {
    const scope = { projects: [{ project: 'blue' }] }
    await addKey('more', {
      ...{ user: 'jane', key: 'other', groups: ['devs', 'ops'], scope, type: 'User' },
    })
    const { metadata } = users.newest({ namespace: '', name: 'jane' }).object
    expect(authenticator.authenticate('other')).to.deep.equal({
      name: 'jane',
      uid: metadata.uid,
      groups: ['devs', ...ofJane, 'ops'],
      extra: {},
      credential: { accessKey: 'more', accessKeyType: 'User', user: 'jane', scope },
    })
    expect(uses).to.deep.equal(['more'])
  })

  it('resolves a key once until something changes', async () => {
    const first = authenticator.authenticate('secret')
    expect(authenticator.authenticate('secret')).to.equal(first)
    await set(users, 'jane', { groups: ['ops'] })
    const second = authenticator.authenticate('secret')
    expect(second?.groups).to.deep.equal(['ops', ...ofJane])
    await set(keys, 'k', { groups: ['bots'] })
    expect(groupsOf('secret')).to.deep.equal(['ops', ...ofJane, 'bots'])
  })

  it('groups remembered from single sign-on count as well (spec user.ssoGroups)', async () => {
    await set(users, 'jane', { ssoGroups: ['sso', 'devs'] })
    expect(groupsOf('secret')).to.deep.equal(['devs', 'sso', ...ofJane])
  })

  it('the groups that identify a user come from objects alone', async () => {
    await set(users, 'jane', { groups: ['platform:user:admin', 'platform:team:red', 'devs'] })
    expect(groupsOf('secret')).to.deep.equal(['devs', ...ofJane])
  })

  it('a user has a group for each team that lists him by name or by group', async () => {
    await world.addTeam('red', { users: ['jane'] })
    await world.addTeam('blue', { groups: ['devs'] })
    await world.addTeam('green', { users: ['joe'] })
    const inTeams = ['*', 'blue', 'red'].map((team) => `platform:team:${team}`)
    expect(groupsOf('secret')).to.deep.equal(['devs', ...ofJane, ...inTeams])
    await start()
    expect(groupsOf('secret')).to.deep.equal(['devs', ...ofJane, ...inTeams])
    await set(teams, 'red', { users: [] })
    await remove(teams, 'blue')
    expect(groupsOf('secret')).to.deep.equal(['devs', ...ofJane])
  })

  it('a user is named by its subject if it has one (spec user.subject)', async () => {
    await set(users, 'jane', { subject: 'oidc|jane' })
    expect(who('secret')).to.equal('oidc|jane')
  })

  it('a key of a subject acts as the subject (spec key.subject)', async () => {
    const { metadata } = await addKey('robot', { subject: 'ci', key: 'one', groups: ['bots'] })
    expect(authenticator.authenticate('one')).to.deep.equal({
      ...{ name: 'ci', uid: metadata.uid, groups: [...everyone, 'bots'], extra: {} },
      credential: { accessKey: 'robot', accessKeyType: '' },
    })
  })

  it('a key of a team acts as the team, under a name that no user has (spec key.team)', async () => {
    const { metadata } = await world.addTeam('red', { users: ['jane'] })
    await addKey('team', { team: 'red', key: 'two' })
    expect(authenticator.authenticate('two')).to.deep.equal({
      ...{ name: 'platform:team:red', uid: metadata.uid, extra: {} },
      groups: [...everyone, 'platform:team:*', 'platform:team:red'],
      credential: { accessKey: 'team', accessKeyType: '', team: 'red' },
    })
    await remove(teams, 'red')
    expect(who('two')).to.equal(undefined)
  })

  describe('refuses a key that is', () => {
    const cases: { name: string; token?: string; before?: () => Promise<unknown> }[] = [
      { name: 'an unknown key', token: 'unknown' },
      { name: 'no key', token: '' },
      { name: 'the stored digest of a key', token: storedAccessKey('secret') },
      {
        name: 'a disabled key (spec key.disabled)',
        before: () => set(keys, 'k', { disabled: true }),
      },
      { name: 'a deleted key', before: () => remove(keys, 'k') },
      {
        name: 'the key of a disabled user (spec user.disabled)',
        before: () => set(users, 'jane', { disabled: true }),
      },
      { name: 'the key of a deleted user', before: () => remove(users, 'jane') },
      {
        name: 'the key of a user who was deleted and made anew',
        before: async () => {
          await remove(users, 'jane')
          await addUser('jane', {})
        },
      },
      { name: 'a key that was replaced', before: () => set(keys, 'k', { key: 'new' }) },
      {
        name: 'an expired key',
        before: async () => {
          await set(keys, 'k', { ttl: 60 })
          pass(minuteMs)
        },
      },
    ]
    for (const { name, token = 'secret', before } of cases) {
      it(name, async () => {
        await before?.()
        expect([authenticator.authenticate(token), uses]).to.deep.equal([undefined, []])
      })
      it(`${name}, after a restart`, async () => {
        await before?.()
        await start()
        expect([authenticator.authenticate(token), uses]).to.deep.equal([undefined, []])
      })
    }
  })

  it('a refused key is accepted again once the reason is gone', async () => {
    await set(users, 'jane', { disabled: true })
    await set(users, 'jane', { disabled: false })
    await set(keys, 'k', { disabled: true })
    await set(keys, 'k', { disabled: false })
    expect(who('secret')).to.equal('jane')
  })

  it('a key with a new value accepts the new value at once', async () => {
    await set(keys, 'k', { key: 'new' })
    expect([who('secret'), who('new')]).to.deep.equal([undefined, 'jane'])
  })

  describe('two key objects with the same key', () => {
    beforeEach(async () => {
      await addUser('eve', {})
      pass(1_000)
      // A server with older rules has stored this.
      const copy = { user: 'eve', key: storedAccessKey('secret') }
      await world.addKey('a-copy', copy, systemContext())
    })

    it('the older one authenticates, so that nobody can take over a key', async () => {
      expect(who('secret')).to.equal('jane')
      await start()
      expect(who('secret')).to.equal('jane')
    })
    it('the newer one authenticates while the older is invalid', async () => {
      await set(keys, 'k', { disabled: true })
      expect(who('secret')).to.equal('eve')
    })
    it('when one is deleted, the other keeps working', async () => {
      await remove(keys, 'a-copy')
      expect(who('secret')).to.equal('jane')
    })
  })

  describe('ttl', () => {
    it('is counted in seconds from creation (spec key.ttl, auth.2)', async () => {
      await set(keys, 'k', { ttl: 90 })
      pass(90_000 - 1)
      expect(who('secret')).to.equal('jane')
      pass(1)
      expect(who('secret')).to.equal(undefined)
    })
    it('is unlimited for 0', async () => {
      await set(keys, 'k', { ttl: 0 })
      stores.clock.jumpTo(Date.UTC(3000, 0, 1))
      expect(who('secret')).to.equal('jane')
    })
    it('counts from creation until the first activity (spec key.ttlAfterLastActivity, auth.2)', async () => {
      await set(keys, 'k', { ttl: 90, ttlAfterLastActivity: true })
      pass(90_000)
      expect(who('secret')).to.equal(undefined)
    })
    for (const ttl of [30, 90, 3_600]) {
      it(`a key of ${ttl} s stays valid if used in time (spec key.ttlAfterLastActivity)`, async () => {
        const activity = new AccessKeyActivity(keys, stores.clock, (error) =>
          expect.fail(String(error)),
        )
        await set(keys, 'k', { ttl, ttlAfterLastActivity: true })
        await start((name) => activity.used(name))
        for (let use = 0; use < 10; use++) {
          pass((ttl - 1) * 1_000)
          expect(who('secret')).to.equal('jane')
          await turns()
        }
        pass(ttl * 1_000)
        expect(who('secret')).to.equal(undefined)
      })
    }
    it('with ttlAfterLastActivity counts from the stored activity after a restart', async () => {
      const activity = new AccessKeyActivity(keys, stores.clock, (error) =>
        expect.fail(String(error)),
      )
      await set(keys, 'k', { ttl: 600, ttlAfterLastActivity: true })
      pass(500_000)
      const { revision } = stores.storage
      activity.used('k')
      await eventually(stores.clock, () => stores.storage.revision > revision)
      await start()
      pass(599_000)
      expect(who('secret')).to.equal('jane')
    })
  })
})
