import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { management, useTestServer } from '../../endpoints/support/testServer.ts'
import { clusters, grant, instances, letUse, makePlanes, userClient } from './planeServer.ts'

const templates = `${management}/virtualclustertemplates`

/** The syncer has more rights on the host than users who create instances. */
describe('the rights of who makes an instance, on its host', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    ;({ admin } = server())
    await makePlanes(admin, { hosts: ['one'] })
    bob = await userClient(server(), 'bob', { name: 'bob' })
    const group = { apiGroups: ['management.platform'] }
    const verbs = ['get', 'create', 'update', 'patch']
    await grant(admin, 'bob', [
      {
        ...group,
        resources: ['virtualclusterinstances', 'virtualclusterinstances/restricted'],
        verbs,
      },
      { ...group, resources: ['virtualclustertemplates'], verbs },
    ])
  })

  const values = (byName: object) => ({
    helmRelease: {
      values: JSON.stringify({ sync: { toHost: { namespaces: { mappings: { byName } } } } }),
    },
  })
  const mapped = values({ default: 'kube-system' })
  const make = (name: string, spec: object) => bob.post(instances, { metadata: { name }, spec })
  const change = (name: string, spec: object) =>
    bob.patch(`${instances}/${name}`, 'merge-patch+json', { spec })

  it('are none in namespaces besides its own', async () => {
    const clusterRef = { cluster: 'one' }
    const refused = await make('a', { clusterRef: { ...clusterRef, namespace: 'kube-system' } })
    expect([refused.status, refused.field('message')]).to.deep.equal([
      403,
      'virtualclusterinstances.management.platform "a" is forbidden: namespace "kube-system" of cluster "one" is not the instance\'s own: this requires the right to use the cluster, as its administrator',
    ])
    expect((await make('a', { clusterRef, template: mapped })).status).to.equal(403)

    expect((await make('a', { clusterRef, template: values({}) })).status).to.equal(201)
    expect((await change('a', { template: mapped })).status).to.equal(403)
    expect((await change('a', { clusterRef: { namespace: 'team' } })).status).to.equal(403)
    const own = { clusterRef: { namespace: 'platform-shop-v-a' } }
    expect((await change('a', own)).status).to.equal(200)

    // The cluster may be named later.
    expect((await make('later', { template: mapped })).status).to.equal(201)
    expect((await change('later', { clusterRef })).status).to.equal(403)
  })

  it('are none by a template either', async () => {
    const made = await bob.post(templates, { metadata: { name: 't' }, spec: { template: mapped } })
    expect(made.status).to.equal(403)
    const version = { version: '1.0.0', template: mapped }
    const versions = { metadata: { name: 't' }, spec: { versions: [version] } }
    expect((await bob.post(templates, versions)).status).to.equal(403)
    const plain = { metadata: { name: 't' }, spec: { template: values({}) } }
    expect((await bob.post(templates, plain)).status).to.equal(201)
  })

  it('are those of a user of the cluster, and unchanged fields are not checked', async () => {
    await admin.post(instances, {
      metadata: { name: 'given' },
      spec: { clusterRef: { cluster: 'one', namespace: 'team' }, template: mapped },
    })
    expect((await change('given', { displayName: 'x' })).status).to.equal(200)
    await letUse(admin, 'bob', 'clusters')
    const clusterRef = { cluster: 'one', namespace: 'team' }
    const role = (clusterRole: string) =>
      admin.patch(`${clusters}/one`, 'merge-patch+json', {
        spec: { extraAccessRules: [{ users: ['bob'], clusterRole }] },
      })
    await role('view')
    expect((await make('b', { clusterRef, template: mapped })).status).to.equal(403)
    await role('cluster-admin')
    expect((await make('b', { clusterRef, template: mapped })).status).to.equal(201)
  })

  it('do not include a template of its own where the project requires one', async () => {
    const name = 'only'
    await admin.post(`${management}/projects`, {
      metadata: { name },
      spec: { allowedTemplates: [{ kind: 'VirtualClusterTemplate', name: '*' }] },
    })
    const dora = await userClient(server(), 'dora', { name: 'dora' })
    await grant(admin, 'dora', [
      {
        apiGroups: ['management.platform'],
        resources: ['virtualclusterinstances'],
        verbs: ['create', 'patch'],
      },
    ])
    await admin.post(templates, { metadata: { name }, spec: { template: values({}) } })
    const path = `${management}/namespaces/p-only/virtualclusterinstances`
    const spec = { templateRef: { name } }
    const template = { accessPoint: { ingress: { enabled: true } } }
    const both = await dora.post(path, { metadata: { name: 'both' }, spec: { ...spec, template } })
    expect(both.status).to.equal(403)
    expect((await dora.post(path, { metadata: { name: 'ref' }, spec })).status).to.equal(201)
    const later = await dora.patch(`${path}/ref`, 'merge-patch+json', { spec: { template } })
    expect(later.status).to.equal(403)
  })
})
