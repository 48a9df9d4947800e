import { expect } from 'chai'
import type { AuthorizationAttributes } from '../../../apiserver/authorization/authorizer.ts'
import { encodeObject } from '../../../apiserver/registry/objectBytes.ts'
import { create, openStores, type Stores } from '../../support/stores.ts'
import { thing, thingResource } from '../../support/thing.ts'
import { openChainServer, type ChainServer } from '../support/chainServer.ts'
import { failure } from '../support/status.ts'

const path = '/apis/example.dev/v1/namespaces/default/things'
const resource = thingResource({ allowCreateOnUpdate: true })

describe('a write that would create', () => {
  let server: ChainServer
  let stores: Stores
  let asked: AuthorizationAttributes[]
  let mayCreate: boolean

  beforeEach(async () => {
    asked = []
    mayCreate = true
    stores = await openStores()
    server = await openChainServer({
      resources: [resource],
      storeOf: (one) => stores.storeOf(one),
      authorize: (attributes) => {
        asked.push(attributes)
        return { allowed: attributes.verb !== 'create' || mayCreate, reason: '' }
      },
    })
  })
  afterEach(async () => {
    await server.close()
    await stores.close()
  })

  const put = (name: string) =>
    server.as('bob').put(`${path}/${name}`, thing(name, { labels: { by: 'bob' } }))
  const apply = (name: string) =>
    server
      .as('bob')
      .patch(`${path}/${name}?fieldManager=test`, 'apply-patch+yaml', thing(name, { spec: {} }))

  for (const [what, write] of [
    ['PUT (reference 3.3)', put],
    ['apply (reference 3.9)', apply],
  ] as const) {
    it(`${what} of a missing object requires the right to create it too`, async () => {
      const verb = what.includes('PUT') ? 'update' : 'patch'
      expect((await write('a')).status).to.equal(201)
      expect(asked.map((one) => `${one.verb} ${one.name}`)).to.deep.equal([`${verb} a`, 'create a'])

      mayCreate = false
      const refused = await write('b')
      const why =
        'User "bob" cannot create resource "things" in API group "example.dev" in the namespace "default"'
      expect([refused.status, refused.json]).to.deep.equal([
        403,
        failure(403, 'Forbidden', `things.example.dev "b" is forbidden: ${why}`, {
          name: 'b',
          group: 'example.dev',
          kind: 'things',
        }),
      ])
      // kube-apiserver also refuses this in the handler.
      expect(refused.headers).not.to.have.property('x-content-type-options')
    })

    it(`${what} of an object deleted in the meantime requires it too`, async () => {
      await create(stores.storeOf(resource), thing('a'))
      mayCreate = false
      const { storage } = stores.storeOf(resource).options
      const update = storage.update.bind(storage)
      // Another client is first, and its object is deleted.
      storage.update = async (key, value, revision) => {
        const other = await update(key, encodeObject(thing('a')), revision)
        return update(key, value, revision).finally(() => storage.delete(key, other.revision))
      }
      expect((await write('a')).status).to.equal(403)
      expect(asked.map(({ verb }) => verb)).to.include('create')
    })

    it(`${what} of an existing object does not require it`, async () => {
      await create(stores.storeOf(resource), thing('a'))
      mayCreate = false
      expect((await write('a')).status).to.equal(200)
      expect(asked.map(({ verb }) => verb)).to.not.include('create')
    })
  }
})
