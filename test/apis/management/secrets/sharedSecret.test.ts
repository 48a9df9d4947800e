import { expect } from 'chai'
import { sharedSecretResource } from '../../../../apiserver/apis/management/secrets/sharedSecret.ts'
import { userResource } from '../../../../apiserver/apis/management/users/user.ts'
import { defaultNames, namesProfile } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../apiserver/registry/store.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { refusal } from '../../../support/refusal.ts'
import { create, openStores, put, type Stores } from '../../../support/stores.ts'

const keyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

function secret(spec: Record<string, unknown>, metadata: ApiObject['metadata'] = {}): ApiObject {
  return {
    kind: 'SharedSecret',
    apiVersion: 'management.platform/v1',
    metadata: { name: 's', namespace: 'p', ...metadata },
    spec,
  }
}

describe('shared secrets', () => {
  let stores: Stores
  let secrets: Store

  beforeEach(async () => {
    stores = await openStores()
    secrets = stores.storeOf(sharedSecretResource(defaultNames))
  })

  afterEach(() => stores.close())

  it('keep all fields of the specification, in its order (spec secret.displayName, secret.owner, secret.access)', async () => {
    const spec = {
      displayName: 'd',
      description: 'e',
      owner: { user: 'jane' },
      data: { 'a.b': 'YQ==', c_D: '' },
      access: [{ name: 'n', verbs: ['get', '*'], subresources: ['x'], users: ['u'], teams: ['t'] }],
    }
    const made = await create(secrets, secret(spec))
    expect(JSON.stringify(made['spec'])).to.equal(JSON.stringify(spec))
    expect(made['status']).to.deep.equal({})
  })

  it('the generation counts changes of spec and annotations (reference 3.4, spec meta.generation)', async () => {
    await create(secrets, secret({}))
    const generations = []
    for (const next of [
      secret({ displayName: 'd' }),
      secret({ displayName: 'd' }, { annotations: { a: 'b' } }),
      secret({ displayName: 'd' }, { annotations: { a: 'b' }, labels: { a: 'b' } }),
    ]) {
      generations.push((await put(secrets, next)).metadata.generation)
    }
    expect(generations).to.deep.equal([2, 3, 3])
  })

  const invalid: { name: string; spec: Record<string, unknown>; want: string[] }[] = [
    {
      name: 'data that is no base64 (spec secret.data.values)',
      spec: { data: { a: 'Y' } },
      want: [
        'spec.data.a: Invalid value: "Y": spec.data.a in body must be base64, RFC 4648 section 4',
      ],
    },
    {
      name: 'data that is no text',
      spec: { data: { a: 5 } },
      want: [
        'spec.data.a: Invalid value: "integer": spec.data.a in body must be of type string: "integer"',
      ],
    },
    {
      name: 'keys of data (spec secret.data.keys)',
      spec: { data: { 'a b': '', '.': '', '..': '', '..a': '' } },
      want: [
        'spec.data[.]: Invalid value: ".": must not be \'.\'',
        'spec.data[..]: Invalid value: "..": must not be \'..\'',
        'spec.data[..a]: Invalid value: "..a": must not start with \'..\'',
        `spec.data[a b]: Invalid value: "a b": ${keyText}`,
      ],
    },
    {
      name: 'access without verbs',
      spec: { access: [{ name: 'n' }] },
      want: ['spec.access[0].verbs: Required value'],
    },
    {
      name: 'an empty verb (spec secret.access.verbs)',
      spec: { access: [{ verbs: ['get', ''] }] },
      want: ['spec.access[0].verbs[1]: Required value'],
    },
  ]
  for (const { name, spec, want } of invalid) {
    it(`${name}: 422 Invalid on create and update`, async () => {
      const found = async (call: Promise<unknown>) => {
        const { code, details } = await refusal(call)
        return {
          code,
          causes: details?.causes?.map(({ field, message }) => `${field}: ${message}`),
        }
      }
      expect(await found(create(secrets, secret(spec)))).to.deep.equal({ code: 422, causes: want })
      await create(secrets, secret({}))
      expect(await found(put(secrets, secret(spec)))).to.deep.equal({ code: 422, causes: want })
    })
  }

  it('the table counts the data (reference 8.1)', async () => {
    const made = await create(secrets, secret({ displayName: 'd', data: { a: '', b: '' } }))
    const { cells } = tableRow(made, secrets.resource, {
      include: 'None',
      nowMs: stores.clock.now(),
    })
    expect(cells).to.deep.equal(['s', 'd', 2, '', '0s'])
  })
})

describe('users', () => {
  let stores: Stores

  beforeEach(async () => {
    stores = await openStores()
  })

  afterEach(() => stores.close())

  const user = (spec: Record<string, unknown>): ApiObject => ({
    kind: 'User',
    apiVersion: 'management.platform/v1',
    metadata: { name: 'jane' },
    spec,
  })

  it('keep all fields (spec user.username, user.email, user.icon, user.groups, user.ssoGroups, user.owner, user.passwordRef, user.codesRef, user.imagePullSecrets, user.extraClaims)', async () => {
    const spec = {
      displayName: 'd',
      description: 'e',
      owner: { team: 't' },
      username: 'jane',
      icon: 'https://example.com/i.png',
      email: 'jane@example.com',
      subject: 'sub',
      groups: ['g'],
      ssoGroups: ['h'],
      passwordRef: { secretName: 'p', secretNamespace: 'n', key: 'k' },
      codesRef: { secretName: 'c', secretNamespace: 'n', key: 'k' },
      imagePullSecrets: [{ kind: 'Secret', secretName: 'i', secretNamespace: 'n' }],
      tokenGeneration: 3,
      disabled: true,
      clusterRoles: [{ name: 'r' }],
      access: [{ verbs: ['get'], users: ['u'] }],
      extraClaims: { a: 'b' },
    }
    const made = await create(stores.storeOf(userResource(defaultNames)), user(spec))
    expect(made['spec']).to.deep.equal(spec)
  })

  it('can be selected by username and subject', async () => {
    const users = stores.storeOf(userResource(defaultNames))
    const made = await create(users, user({ username: 'jane' }))
    expect(users.fieldsOf(made)).to.deep.equal({ 'spec.username': 'jane', 'spec.subject': '' })
  })

  it('follow the names profile (spec version.apiVersion)', () => {
    const resource = userResource(namesProfile({ platform: 'acme', domain: 'acme.dev' }))
    expect([resource.group, resource.schema.definition]).to.deep.equal([
      'management.acme.dev',
      'dev.acme.management.v1.User',
    ])
  })
})
