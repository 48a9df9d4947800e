import { expect } from 'chai'
import { storedAccessKey } from '../../../../apiserver/authentication/accessKeys/accessKeyForm.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../apiserver/registry/store.ts'
import { systemContext } from '../../../../apiserver/registry/systemContext.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { dryRun } from '../../../support/contexts.ts'
import { KeyStores } from '../../../support/accessKeys.ts'
import { refusal } from '../../../support/refusal.ts'
import { canonical, create, put, shown, type Stores } from '../../../support/stores.ts'

const target = { namespace: '', name: 'k' }

function key(spec: unknown = { user: 'jane' }): ApiObject {
  return {
    kind: 'OwnedAccessKey',
    apiVersion: 'management.platform/v1',
    metadata: { name: 'k' },
    spec,
  }
}

describe('access key objects', () => {
  let stores: Stores
  let keys: Store

  beforeEach(async () => {
    ;({ stores, keys } = await KeyStores.open())
  })

  afterEach(() => stores.close())

  const keyOf = (object: ApiObject): string | undefined =>
    // By the schema, spec is an object with a key.
    (object['spec'] as { key?: string }).key
  const storedKey = () => keyOf(keys.newest(target).object)

  it('get a generated key, shown to the creator once and stored as its digest (spec key.key)', async () => {
    const shownKey = keyOf(await create(keys, key())) ?? ''
    expect(shownKey).to.match(/^[a-zA-Z0-9]{64}$/)
    expect(storedKey()).to.equal(storedAccessKey(shownKey))
    const { stored } = keys.newest(target)
    expect(stored.value.includes(shownKey)).to.equal(false)
  })

  it('keep a given key as its digest', async () => {
    expect(keyOf(await create(keys, key({ user: 'jane', key: 'secret' })))).to.equal('secret')
    expect(storedKey()).to.equal(storedAccessKey('secret'))
  })

  it('keep a given digest, such as a copy from another server', async () => {
    const digest = storedAccessKey('secret')
    expect(keyOf(await create(keys, key({ user: 'jane', key: digest })))).to.equal(digest)
    expect(storedKey()).to.equal(digest)
  })

  it('created by a PUT show the key to the creator too', async () => {
    const object = canonical(key(), keys.resource)
    const request = { transform: () => object, createMissing: () => structuredClone(object) }
    const written = await keys.update(target, request, systemContext())
    expect(keyOf(shown(written))).to.match(/^[a-zA-Z0-9]{64}$/)
  })

  it('in a dry run show a key and store nothing', async () => {
    expect(keyOf(await create(keys, key(), dryRun))).to.match(/^[a-zA-Z0-9]{64}$/)
    expect(stores.storage.revision).to.equal(0)
  })

  describe('updated', () => {
    beforeEach(() => create(keys, key({ user: 'jane', key: 'secret', ttl: 60, type: 'User' })))

    it('with the values that were read change nothing', async () => {
      const { object } = keys.newest(target)
      expect(await put(keys, object)).to.deep.equal(object)
      expect(stores.storage.revision).to.equal(1)
    })
    it('without a key keep the key and change nothing', async () => {
      const { object } = keys.newest(target)
      expect(await put(keys, key({ user: 'jane', ttl: 60, type: 'User' }))).to.deep.equal(object)
      expect(stores.storage.revision).to.equal(1)
    })
    it('with another key store and return its digest', async () => {
      const next = await put(keys, key({ user: 'jane', key: 'new' }))
      expect([keyOf(next), storedKey()]).to.deep.equal([
        storedAccessKey('new'),
        storedAccessKey('new'),
      ])
    })
  })

  const invalid: { name: string; spec: unknown; field: string; message: string }[] = [
    {
      name: 'nobody',
      spec: {},
      field: 'spec.user',
      message: 'Required value: one of user, team or subject is needed',
    },
    {
      name: 'a user and a team',
      spec: { user: 'a', team: 'b' },
      field: 'spec.team',
      message: 'Invalid value: "b": a key belongs to a user or to a team, not to both',
    },
    {
      name: 'a negative ttl',
      spec: { user: 'a', ttl: -1 },
      field: 'spec.ttl',
      message: 'Invalid value: -1: must be greater than or equal to 0',
    },
    {
      name: 'an unknown type',
      spec: { user: 'a', type: 'x' },
      field: 'spec.type',
      message:
        'Unsupported value: "x": supported values: "", "Login", "User", "Other", "Reset", "OIDCRefreshToken", "NetworkPeer", "Workspace"',
    },
    {
      name: 'a key that is no text',
      spec: { user: 'a', key: 5 },
      field: 'spec.key',
      message: 'Invalid value: "integer": spec.key in body must be of type string: "integer"',
    },
    {
      name: 'a spec that is a text',
      spec: 'text',
      field: 'spec',
      message: 'Invalid value: "string": spec in body must be of type object: "string"',
    },
    {
      name: 'a spec that is a number',
      spec: 5,
      field: 'spec',
      message: 'Invalid value: "integer": spec in body must be of type object: "integer"',
    },
  ]
  for (const { name, spec, field, message } of invalid) {
    it(`with ${name}: 422 Invalid on create and update`, async () => {
      const found = async (call: Promise<unknown>) => {
        const { code, reason, details } = await refusal(call)
        const causes = details?.causes?.map((cause) => `${cause.field}: ${cause.message}`)
        return [code, reason, causes]
      }
      const want = [422, 'Invalid', [`${field}: ${message}`]]
      expect(await found(create(keys, key(spec)))).to.deep.equal(want)
      await create(keys, key())
      expect(await found(put(keys, key(spec)))).to.deep.equal(want)
    })
  }

  it('the status is set by the server alone', async () => {
    const made = await create(keys, { ...key(), status: { lastActivity: '2000-01-01T00:00:00Z' } })
    expect(made['status']).to.deep.equal({})
  })

  it('the table shows no key (reference 8.1)', async () => {
    const made = await create(keys, key({ user: 'jane', key: 'secret', type: 'User' }))
    const { cells } = tableRow(made, keys.resource, { include: 'None', nowMs: stores.clock.now() })
    expect(cells).to.deep.equal(['k', 'jane', '', 'User', '', '', '', '0s'])
  })
})
