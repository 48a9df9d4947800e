import { expect } from 'chai'
import type { HttpClient } from './support/httpClient.ts'
import { management, openBob, secrets, users, useTestServer } from './support/testServer.ts'

describe('rules of every object', () => {
  const server = useTestServer()
  let admin: HttpClient
  let count = 0
  before(() => {
    ;({ admin } = server())
  })

  /** Path of a new secret. */
  async function made(metadata: object = {}, spec: object = {}): Promise<string> {
    const name = `s${count++}`
    const answer = await admin.post(secrets, { metadata: { ...metadata, name }, spec })
    expect(answer.status).to.equal(201)
    return `${secrets}/${name}`
  }

  /** Grants the user bob verbs on secrets. */
  async function allow(name: string, verbs: string[]): Promise<void> {
    const roles = '/apis/rbac.authorization.k8s.io/v1'
    const rules = [{ apiGroups: ['management.platform'], resources: ['sharedsecrets'], verbs }]
    await admin.post(`${roles}/clusterroles`, { metadata: { name }, rules })
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }]
    const bound = await admin.post(`${roles}/clusterrolebindings`, {
      ...{ metadata: { name }, roleRef, subjects },
    })
    expect(bound.status).to.equal(201)
  }

  it('the kind is inferred from the endpoint, and another one refused (spec object.kind, service.objects)', async () => {
    const path = await made()
    const object = await admin.get(path)
    expect(Object.keys(object.json as object)).to.deep.equal([
      ...['kind', 'apiVersion', 'metadata', 'spec', 'status'],
    ])
    expect(object.field('kind')).to.equal('SharedSecret')
    const other = { ...(object.json as object), kind: 'User' }
    expect((await admin.put(path, other)).status).to.equal(400)
  })

  it('another version is refused: 400 (spec object.apiVersion, version.apiVersion, version.unrecognized)', async () => {
    const path = await made()
    const object = await admin.get(path)
    expect(object.field('apiVersion')).to.equal('management.platform/v1')
    for (const apiVersion of ['management.platform/v2', 'example.dev/v1']) {
      const other = { ...(object.json as object), apiVersion }
      expect((await admin.put(path, other)).status).to.equal(400)
    }
    expect((await admin.get('/apis/management.platform/v2/users')).status).to.equal(404)
  })

  it('cannot be changed by a PATCH (spec meta.name, meta.namespace, object.kind, object.apiVersion)', async () => {
    const path = await made()
    const before = await admin.get(path)
    const changes: [change: object, code: number][] = [
      [{ metadata: { name: 'other' } }, 400],
      [{ metadata: { namespace: 'kube-system' } }, 400],
      [{ kind: 'User' }, 422],
      [{ apiVersion: 'management.platform/v2' }, 422],
    ]
    for (const [change, code] of changes) {
      const { status, text } = await admin.patch(path, 'merge-patch+json', change)
      expect(status, text).to.equal(code)
    }
    expect((await admin.get(path)).json).to.deep.equal(before.json)
  })

  it('only a name is required (spec object.required)', async () => {
    const answer = await admin.post(users, { metadata: { generateName: 'u-' } })
    expect(answer.status).to.equal(201)
    expect(answer.field('metadata', 'name')).to.match(/^u-.{5}$/)
  })

  it('an object without a namespace gets that of the path (spec meta.namespace.default)', async () => {
    for (const metadata of [{}, { namespace: '' }]) {
      const object = await admin.get(await made(metadata))
      expect(object.field('metadata', 'namespace')).to.equal('default')
    }
  })

  it('an access key is enough for a pipeline (spec service.keys)', async () => {
    const path = `${management}/ownedaccesskeys`
    const spec = { user: 'admin', type: 'User' }
    const key = await admin.post(path, { metadata: { name: 'pipeline' }, spec })
    const authorization = `Bearer ${String(key.field('spec', 'key'))}`
    expect((await admin.with({ authorization }).get(secrets)).status).to.equal(200)
  })

  it('is not populated (spec meta.selfLink, version.deprecated)', async () => {
    const path = await made({ selfLink: '/x' })
    expect(Object.keys((await admin.get(path)).field('metadata') as object)).to.not.include(
      'selfLink',
    )
  })

  it('select objects (spec meta.labels)', async () => {
    const path = await made({ labels: { colour: 'red' } })
    await made({ labels: { colour: 'blue' } })
    const list = await admin.get(`${secrets}?labelSelector=colour%3Dred`)
    expect(list.field('items', 0, 'metadata', 'name')).to.equal(path.slice(secrets.length + 1))
    expect(list.field('items', 1)).to.equal(undefined)
  })

  it('stay when other things change (spec meta.annotations)', async () => {
    const path = await made({ annotations: { note: 'kept' } })
    const patched = await admin.patch(path, 'merge-patch+json', { spec: { displayName: 'd' } })
    expect(patched.field('metadata', 'annotations')).to.deep.equal({ note: 'kept' })
  })

  it('go in any order (spec meta.finalizers.order)', async () => {
    const path = await made({ finalizers: ['x/a', 'x/b', 'x/c'] })
    await admin.delete(path)
    for (const finalizers of [['x/a', 'x/c'], ['x/c']]) {
      const patched = await admin.patch(path, 'merge-patch+json', { metadata: { finalizers } })
      expect(patched.field('metadata', 'finalizers')).to.deep.equal(finalizers)
    }
    await admin.patch(path, 'merge-patch+json', { metadata: { finalizers: [] } })
    expect((await admin.get(path)).status).to.equal(404)
  })

  it('a list has none (spec meta.creationTimestamp)', async () => {
    const metadata = (await admin.get(secrets)).field('metadata') as object
    expect(metadata).to.not.have.property('creationTimestamp')
  })

  it('record who set which field (spec meta.managedFields)', async () => {
    const path = await made({}, { displayName: 'd' })
    const [entry] = (await admin.get(path)).field('metadata', 'managedFields') as [
      Record<string, unknown>,
    ]
    expect({ ...entry, time: 'now', manager: 'm' }).to.deep.equal({
      manager: 'm',
      operation: 'Update',
      apiVersion: 'management.platform/v1',
      time: 'now',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:displayName': {} } },
    })
  })

  it('records it (spec meta.managedFields.subresource)', async () => {
    const path = '/api/v1/namespaces/default/services'
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] }
    await admin.post(path, { metadata: { name: 'one' }, spec })
    const status = { status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } }
    const patched = await admin.patch(`${path}/one/status`, 'merge-patch+json', status)
    const entries = patched.field('metadata', 'managedFields') as { subresource?: string }[]
    expect(entries.map(({ subresource }) => subresource)).to.deep.equal([undefined, 'status'])
  })

  it('requires the right to delete the owner (spec error.422, meta.ownerReferences.blockOwnerDeletion)', async () => {
    const bob = await openBob(server())
    const owner = await admin.get(await made())
    const reference = {
      apiVersion: 'management.platform/v1',
      kind: 'SharedSecret',
      name: owner.field('metadata', 'name'),
      uid: owner.field('metadata', 'uid'),
    }
    const create = (name: string, ownerReference: object) =>
      bob.post(secrets, { metadata: { name, ownerReferences: [ownerReference] } })
    await allow('creator', ['create'])
    expect((await create('plain', reference)).status).to.equal(201)
    const blocking = { ...reference, blockOwnerDeletion: true }
    const refused = await create('blocking', blocking)
    expect([refused.status, refused.field('reason')]).to.deep.equal([422, 'Invalid'])
    expect(refused.field('details', 'causes', 0, 'field')).to.equal(
      'metadata.ownerReferences[0].blockOwnerDeletion',
    )
    await allow('deleter', ['delete'])
    expect((await create('blocking', blocking)).status).to.equal(201)
  })

  it('a body of more than 3 MiB is 413 (spec limit.request)', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024)
    const answer = await admin.post(secrets, {
      metadata: { name: 'big' },
      spec: { description: text },
    })
    expect(answer.status).to.equal(413)
  })

  it('a list supports limit and continue (spec endpoint.query)', async () => {
    await made()
    await made()
    const first = await admin.get(`${secrets}?limit=1`)
    const next = encodeURIComponent(String(first.field('metadata', 'continue')))
    const second = await admin.get(`${secrets}?limit=1&continue=${next}`)
    expect(second.status).to.equal(200)
    expect(second.field('items', 0, 'metadata', 'name')).to.not.equal(
      first.field('items', 0, 'metadata', 'name'),
    )
  })

  it('a key keeps its fields (spec key.displayName, key.type, key.identity, key.oidcProvider, key.parent, key.oidcLogin, version.deprecated)', async () => {
    const spec = {
      displayName: 'd',
      description: 'e',
      user: 'admin',
      type: 'OIDCRefreshToken',
      identity: { userId: 'u', email: 'e@example.com', emailVerified: true, connector: 'c' },
      oidcProvider: { clientId: 'c', nonce: 'n', redirectUri: 'r', scopes: 'openid' },
      parent: 'p',
      oidcLogin: { lastRefresh: '2030-01-01T00:00:00Z' },
    }
    const path = `${management}/ownedaccesskeys`
    const answer = await admin.post(path, { metadata: { name: 'full' }, spec })
    expect(answer.status).to.equal(201)
    expect((await admin.get(`${path}/full`)).field('spec')).to.deep.include(spec)
  })
})
