import { expect } from 'chai'
import { ownedAccessKeyResource } from '../../apiserver/apis/management/ownedAccessKey.ts'
import { userResource } from '../../apiserver/apis/management/user.ts'
import { AccessKeyAuthenticator } from '../../apiserver/authentication/accessKeyAuthenticator.ts'
import { storedAccessKey } from '../../apiserver/authentication/accessKeyForm.ts'
import { AccessKeyActivity } from '../../apiserver/controllers/accessKeyActivity.ts'
import { defaultNames } from '../../apiserver/meta/namesProfile.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { systemContext } from '../../apiserver/registry/systemContext.ts'
import { eventually, turns } from '../support/eventually.ts'
import { FakeRandom } from '../support/fakeRandom.ts'
import { change, create, openStores, type Stores } from '../support/stores.ts'

const apiVersion = 'management.platform/v1'
const minuteMs = 60_000

describe('AccessKeyAuthenticator', () => {
  let stores: Stores
  let keys: Store
  let users: Store
  let authenticator: AccessKeyAuthenticator
  let uses: string[]

  beforeEach(async () => {
    stores = await openStores()
    keys = stores.storeOf(ownedAccessKeyResource(defaultNames, new FakeRandom()))
    users = stores.storeOf(userResource(defaultNames))
    await addUser('jane', { groups: ['devs'] })
    await addKey('k', { user: 'jane', key: 'secret' })
    await start()
  })

  afterEach(() => stores.close())

  async function start(onUse?: (name: string) => void): Promise<void> {
    uses = []
    const { clock } = stores
    const use = onUse ?? ((name: string) => void uses.push(name))
    authenticator = new AccessKeyAuthenticator({ keys, users, clock, onUse: use })
    await authenticator.start()
  }

  const addUser = (name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    create(users, { kind: 'User', apiVersion, metadata: { name }, spec })
  const addKey = (name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    create(keys, { kind: 'OwnedAccessKey', apiVersion, metadata: { name }, spec })
  const set = (store: Store, name: string, spec: Record<string, unknown>): Promise<ApiObject> =>
    change(store, { namespace: '', name }, (object) => {
      // Both kinds have an object as spec.
      object['spec'] = { ...(object['spec'] as object), ...spec }
    })
  const remove = (store: Store, name: string) =>
    store.delete({ namespace: '', name }, {}, systemContext())
  const who = (token: string) => authenticator.authenticate(token)?.name
  const pass = (ms: number) => stores.clock.advance(ms)

  it('a key stands for its user, with the groups of both', async () => {
    await addKey('more', { user: 'jane', key: 'other', groups: ['devs', 'ops'] })
    const { metadata } = users.newest({ namespace: '', name: 'jane' }).object
    expect(authenticator.authenticate('other')).to.deep.equal({
      name: 'jane',
      uid: metadata.uid,
      groups: ['devs', 'ops', 'system:authenticated'],
      extra: {},
    })
    expect(uses).to.deep.equal(['more'])
  })

  it('a user is named by its subject, where it has one', async () => {
    await set(users, 'jane', { subject: 'oidc|jane' })
    expect(who('secret')).to.equal('oidc|jane')
  })

  it('a key of a subject or a team speaks for itself', async () => {
    const { metadata } = await addKey('robot', { subject: 'ci', key: 'one', groups: ['bots'] })
    await addKey('team', { team: 'red', key: 'two' })
    expect([authenticator.authenticate('one'), who('two')]).to.deep.equal([
      { name: 'ci', uid: metadata.uid, groups: ['bots', 'system:authenticated'], extra: {} },
      'red',
    ])
  })

  describe('is of no use', () => {
    const cases: { name: string; token?: string; before?: () => Promise<unknown> }[] = [
      { name: 'an unknown key', token: 'unknown' },
      { name: 'no key', token: '' },
      { name: 'the stored digest of a key', token: storedAccessKey('secret') },
      { name: 'a disabled key', before: () => set(keys, 'k', { disabled: true }) },
      { name: 'a deleted key', before: () => remove(keys, 'k') },
      { name: 'the key of a disabled user', before: () => set(users, 'jane', { disabled: true }) },
      { name: 'the key of a deleted user', before: () => remove(users, 'jane') },
      { name: 'a key that was replaced', before: () => set(keys, 'k', { key: 'new' }) },
      {
        name: 'a key whose time is over',
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

  it('what was refused is taken again when the reason is gone', async () => {
    await set(users, 'jane', { disabled: true })
    await set(users, 'jane', { disabled: false })
    await set(keys, 'k', { disabled: true })
    await set(keys, 'k', { disabled: false })
    expect(who('secret')).to.equal('jane')
  })

  it('a replaced key takes the new one at once', async () => {
    await set(keys, 'k', { key: 'new' })
    expect([who('secret'), who('new')]).to.deep.equal([undefined, 'jane'])
  })

  describe('two key objects with the same key', () => {
    beforeEach(async () => {
      await addUser('eve', {})
      pass(1_000)
      await addKey('a-copy', { user: 'eve', key: storedAccessKey('secret') })
    })

    it('the older one counts, so that nobody takes over a key', async () => {
      expect(who('secret')).to.equal('jane')
      await start()
      expect(who('secret')).to.equal('jane')
    })
    it('the other one counts while the older is of no use', async () => {
      await set(keys, 'k', { disabled: true })
      expect(who('secret')).to.equal('eve')
    })
    it('when one is deleted the other stays', async () => {
      await remove(keys, 'a-copy')
      expect(who('secret')).to.equal('jane')
    })
  })

  describe('ttl', () => {
    it('counts seconds from creation', async () => {
      await set(keys, 'k', { ttl: 90 })
      pass(90_000 - 1)
      expect(who('secret')).to.equal('jane')
      pass(1)
      expect(who('secret')).to.equal(undefined)
    })
    it('0 is no limit', async () => {
      await set(keys, 'k', { ttl: 0 })
      stores.clock.jumpTo(Date.UTC(3000, 0, 1))
      expect(who('secret')).to.equal('jane')
    })
    it('with ttlAfterLastActivity counts from creation as long as there was no activity', async () => {
      await set(keys, 'k', { ttl: 90, ttlAfterLastActivity: true })
      pass(90_000)
      expect(who('secret')).to.equal(undefined)
    })
    for (const ttl of [30, 90, 3_600]) {
      it(`with ttlAfterLastActivity a key of ${ttl} s that is used in time lives on`, async () => {
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
