import { expect } from 'chai'
import { ConnectorData } from '../../../apiserver/apis/management/users/connectorData.ts'
import type { ApiObject } from '../../../apiserver/meta/types.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { KeyStores } from '../../support/accessKeys.ts'
import { eventually } from '../../support/eventually.ts'

const target = { namespace: '', name: 'k' }

describe('access key fields', () => {
  let world: KeyStores

  beforeEach(async () => {
    world = await KeyStores.open()
  })

  afterEach(() => world.close())

  const stored = () => world.keys.newest(target).object

  describe('of connectors', () => {
    const identity = { connector: 'oidc', connectorData: Buffer.from('refresh').toString('base64') }
    let data: ConnectorData

    beforeEach(() => {
      data = new ConnectorData(world.keys)
    })

    it('are stored, but neither returned nor kept in the stored key (spec key.identity, key.identity.connectorData)', async () => {
      const made = await world.addKey('k', { user: 'jane', identity })
      const spec = (object: ApiObject) => (object['spec'] as { identity?: unknown }).identity
      expect([spec(made), spec(stored())]).to.deep.equal([
        { connector: 'oidc' },
        { connector: 'oidc' },
      ])
      expect(data.get(made.metadata.uid ?? '')).to.equal(identity.connectorData)
    })
    it('are replaced by an update, and kept by an update without them', async () => {
      const { metadata } = await world.addKey('k', { user: 'jane', identity })
      const connectorData = Buffer.from('next').toString('base64')
      const changed = await world.set(world.keys, 'k', { identity: { connectorData } })
      expect(JSON.stringify(changed)).to.not.include(connectorData)
      await world.set(world.keys, 'k', { displayName: 'x' })
      expect(data.get(metadata.uid ?? '')).to.equal(connectorData)
    })
    it('are deleted with the key, even if the key was deleted concurrently', async () => {
      const { metadata } = await world.addKey('k', { user: 'jane', identity })
      const uid = metadata.uid ?? ''
      await data.set('of-a-key-that-is-gone', 'eA==')
      const stop = await data.follow((error) => expect.fail(String(error)))
      await eventually(world.stores.clock, () => data.get('of-a-key-that-is-gone') === undefined)
      expect(data.get(uid)).to.equal(identity.connectorData)
      await world.keys.delete(target, {}, systemContext())
      await eventually(world.stores.clock, () => data.get(uid) === undefined)
      stop()
    })
  })

  describe('owner references', () => {
    const reference = (kind: string, { metadata }: ApiObject) => ({
      apiVersion: 'management.platform/v1',
      ...{ kind, name: metadata.name, uid: metadata.uid, controller: true },
    })

    it('name the user, so that keys are deleted with the user (facts 7.3)', async () => {
      const jane = await world.addUser('jane')
      const made = await world.addKey('k', { user: 'jane' })
      expect(made.metadata.ownerReferences).to.deep.equal([reference('User', jane)])
    })
    it('name the team likewise, and follow a change of owner', async () => {
      const [red, jane] = [await world.addTeam('red'), await world.addUser('jane')]
      await world.addKey('k', { team: 'red' })
      expect(stored().metadata.ownerReferences).to.deep.equal([reference('Team', red)])
      await world.set(world.keys, 'k', { team: '', user: 'jane' })
      expect(stored().metadata.ownerReferences).to.deep.equal([reference('User', jane)])
    })
    it('are empty if the user or team does not exist, and for a subject', async () => {
      const made = await world.addKey('k', { user: 'jane' })
      const other = await world.addKey('l', { subject: 'ci' })
      expect([made.metadata.ownerReferences, other.metadata.ownerReferences]).to.deep.equal([
        undefined,
        undefined,
      ])
    })
    it('token generation of a login cannot be changed', async () => {
      await world.addUser('jane', { tokenGeneration: 3 })
      await world.addKey('k', { user: 'jane', type: 'Login' })
      const generation = { 'platform/token-generation': '3' }
      expect(stored().metadata.annotations).to.deep.equal(generation)
      await world.set(world.users, 'jane', { tokenGeneration: 4 })
      await world.keys.update(
        target,
        {
          transform: (old) => ({
            ...old,
            metadata: { ...old.metadata, annotations: { 'platform/token-generation': '4' } },
          }),
        },
        systemContext(),
      )
      expect(stored().metadata.annotations).to.deep.equal(generation)
    })
  })

  it('are stored as given (spec key.displayName, key.oidcProvider, key.parent, key.oidcLogin)', async () => {
    const spec = {
      ...{ displayName: 'Key', description: 'A key', user: 'jane' },
      oidcProvider: { clientId: 'c', nonce: 'n', redirectUri: 'https://a', scopes: 'openid' },
      parent: 'other',
      oidcLogin: { idToken: 'eA==', lastRefresh: '2030-01-01T00:00:00Z' },
    }
    await world.addKey('k', spec)
    expect(stored()['spec']).to.deep.include(spec)
  })
})
