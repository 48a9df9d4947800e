import { expect } from 'chai'
import { projectSecretResource } from '../../../../apiserver/apis/management/secrets/projectSecret.ts'
import { defaultNames, namesProfile } from '../../../../apiserver/meta/names/namesProfile.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import type { Store } from '../../../../apiserver/registry/store.ts'
import { tableRow } from '../../../../apiserver/registry/table.ts'
import { clientContext } from '../../../support/contexts.ts'
import { refusal } from '../../../support/refusal.ts'
import {
  projectSecret,
  SecretPlane,
  sharedSecret,
  userContext,
} from '../../../support/secretPlane.ts'
import { create, openStores, put, type Stores } from '../../../support/stores.ts'

function secret(spec: Record<string, unknown>): ApiObject {
  return { ...projectSecret({}), spec }
}

describe('project secrets', () => {
  let stores: Stores
  let secrets: Store

  beforeEach(async () => {
    stores = await openStores()
    secrets = stores.storeOf(projectSecretResource(defaultNames))
  })

  afterEach(() => stores.close())

  it('platform facts 3.3: keep all fields, in their order', async () => {
    const spec = {
      displayName: 'd',
      description: 'e',
      owner: { team: 'ops' },
      data: { 'a.b': 'YQ==', c_D: '' },
      access: [{ name: 'n', verbs: ['use'], subresources: ['x'], users: ['u'], teams: ['t'] }],
    }
    const made = await create(secrets, secret(spec))
    expect(JSON.stringify(made['spec'])).to.equal(JSON.stringify(spec))
    expect(made['status']).to.deep.equal({})
  })

  it('platform facts 3.3: have the verbs of the stored kinds', () => {
    const { group, plural, namespaced, verbs } = projectSecretResource(
      namesProfile({ platform: 'acme', domain: 'acme.dev' }),
    )
    expect({ group, plural, namespaced, verbs }).to.deep.equal({
      group: 'management.acme.dev',
      plural: 'projectsecrets',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    })
  })

  it('ignores a status from the client: conditions are set by the server', async () => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] }
    const made = await create(secrets, { ...secret({}), status })
    expect(made['status']).to.deep.equal({})
  })

  const invalid: { name: string; spec: Record<string, unknown>; want: string[] }[] = [
    {
      name: 'data that is no base64',
      spec: { data: { a: 'Y' } },
      want: [
        'spec.data.a: Invalid value: "Y": spec.data.a in body must be base64, RFC 4648 section 4',
      ],
    },
    {
      name: 'keys of data',
      spec: { data: { '..': '' } },
      want: ['spec.data[..]: Invalid value: "..": must not be \'..\''],
    },
    {
      name: 'more data than a core secret holds',
      spec: { data: { a: Buffer.alloc(1024 * 1024 + 1).toString('base64') } },
      want: ['spec.data: Too long: may not be more than 1048576 bytes'],
    },
    {
      name: 'access without verbs',
      spec: { access: [{ users: ['jane'] }] },
      want: ['spec.access[0].verbs: Required value'],
    },
  ]
  for (const { name, spec, want } of invalid) {
    it(`${name}: 422 Invalid on create and update`, async () => {
      const causes = async (call: Promise<unknown>) => {
        const { code, details } = await refusal(call)
        return [code, details?.causes?.map(({ field, message }) => `${field}: ${message}`)]
      }
      expect(await causes(create(secrets, secret(spec)))).to.deep.equal([422, want])
      await create(secrets, secret({}))
      expect(await causes(put(secrets, secret(spec)))).to.deep.equal([422, want])
    })
  }

  it('the table counts the data (reference 8.1)', async () => {
    const made = await create(secrets, secret({ displayName: 'd', data: { a: '', b: '' } }))
    const { cells } = tableRow(made, secrets.resource, {
      include: 'None',
      nowMs: stores.clock.now(),
    })
    expect(cells).to.deep.equal(['mine', 'd', 2, '', '0s'])
  })
})

describe('owners of secrets', () => {
  let plane: SecretPlane

  beforeEach(async () => {
    plane = await SecretPlane.open()
  })

  afterEach(() => plane.close())

  const ownerOf = (object: ApiObject) => (object['spec'] as { owner?: unknown }).owner
  const team = () => ({
    ...clientContext(),
    user: { ...clientContext().user, credential: { team: 'ops' } },
  })

  it('platform facts 7.3: the user or team that creates a secret owns it', async () => {
    const jane = userContext('jane', 'u')
    const made = [
      await create(plane.projectSecrets, projectSecret({}), jane),
      await create(plane.sharedSecrets, sharedSecret({}), jane),
      await create(plane.projectSecrets, projectSecret({}, { name: 'other' }), team()),
    ]
    expect(made.map(ownerOf)).to.deep.equal([{ user: 'jane' }, { user: 'jane' }, { team: 'ops' }])
  })

  it('a given owner is kept; a subject that is no platform user owns nothing', async () => {
    const named = { ...projectSecret({}), spec: { owner: { team: 'dev' } } }
    const made = [
      await create(plane.projectSecrets, named, userContext('jane', 'u')),
      await create(plane.sharedSecrets, sharedSecret({})),
    ]
    expect(made.map(ownerOf)).to.deep.equal([{ team: 'dev' }, undefined])
  })
})

describe('annotations for the secret store', () => {
  let plane: SecretPlane

  beforeEach(async () => {
    plane = await SecretPlane.open()
  })

  afterEach(() => plane.close())

  const mount = 'platform/secretStore-kv-mount-path'
  const path = 'platform/secretStore-kv-secret-path'
  const why = "must consist of segments separated by '/', none of which may be empty, '.' or '..'"
  const invalid: { annotations: Record<string, string>; want: string }[] = [
    {
      annotations: { 'platform/secretStore-kv-version': 'kv1' },
      want: 'metadata.annotations[platform/secretStore-kv-version]: Unsupported value: "kv1": supported values: "kv2"',
    },
    ...['../sys', 'a//b', '/a', 'a/', './a'].map((value) => ({
      annotations: { [path]: value },
      want: `metadata.annotations[${path}]: Invalid value: "${value}": ${why}`,
    })),
    {
      annotations: { [mount]: '..' },
      want: `metadata.annotations[${mount}]: Invalid value: "..": ${why}`,
    },
  ]
  for (const { annotations, want } of invalid) {
    it(`${JSON.stringify(annotations)}: 422 Invalid`, async () => {
      const { code, details } = await refusal(
        create(plane.projectSecrets, projectSecret({}, { annotations })),
      )
      const causes = details?.causes?.map(({ field, message }) => `${field}: ${message}`)
      expect([code, causes]).to.deep.equal([422, [want]])
    })
  }

  it('sync results are set by the server alone', async () => {
    const annotations = { 'platform/secretStore-kv-synced': '{}', note: 'x' }
    const made = await create(plane.projectSecrets, projectSecret({}, { annotations }))
    expect(made.metadata.annotations).to.deep.equal({ note: 'x' })
  })
})
