import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management, openBob, useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusterBase, clusters, instanceBase, letUse, namesOf, userClient } from './planeServer.ts'

const spaces = `${management}/namespaces/p-shop/spaceinstances`
const spaceBase = (name: string) => `/kubernetes/project/shop/space/${name}`
const configMapsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`
const one = clusterBase('one')
const outside = 'a space is the namespace "team" alone'

describe('spaces (facts 5)', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient
  const base = spaceBase('web')

  async function makeSpace(name: string, spec: object): Promise<void> {
    const made = await admin.post(spaces, { metadata: { name }, spec })
    expect(made.status, made.text).to.equal(201)
  }

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    const allowedClusters = [{ name: 'one' }, { name: 'gone' }]
    await admin.post(`${management}/projects`, {
      metadata: { name: 'shop' },
      spec: { allowedClusters },
    })
    for (const name of ['one', 'two']) await admin.post(clusters, { metadata: { name } })
    await makeSpace('web', { clusterRef: { cluster: 'one', namespace: 'team' } })
  })

  const statuses = async (client: HttpClient, paths: string[]) => {
    const codes = []
    for (const path of paths) codes.push((await client.get(path)).status)
    return codes
  }

  it('are namespaces of their cluster, created with the first request and labelled with the project (facts 5)', async () => {
    const made = await admin.post(`${base}${configMapsIn('team')}`, {
      metadata: { name: 'own' },
      data: { a: 'b' },
    })
    expect(made.status, made.text).to.equal(201)
    const onHost = await admin.get(`${one}${configMapsIn('team')}/own`)
    expect(onHost.field('data')).to.deep.equal({ a: 'b' })
    const namespace = await admin.get(`${one}/api/v1/namespaces/team`)
    expect(namespace.field('metadata', 'labels', 'platform/project')).to.equal('shop')
  })

  it('have a namespace of their own by default', async () => {
    await makeSpace('plain', { clusterRef: { cluster: 'one' } })
    expect(await statuses(admin, [`${spaceBase('plain')}/version`])).to.deep.equal([200])
    expect(await namesOf(admin, `${one}/api/v1/namespaces`)).to.include('platform-shop-s-plain')
  })

  it('have the API documents of their cluster', async () => {
    const paths = ['/version', '/readyz', '/api', '/apis/apps/v1', '/openapi/v2', '/openapi/v3']
    expect(
      await statuses(
        admin,
        paths.map((path) => base + path),
      ),
    ).to.deep.equal(paths.map(() => 200))
    expect((await admin.get(`${base}${management}/users`)).status).to.equal(403)
  })

  it('serve only their namespace, even to superusers', async () => {
    const paths = [
      configMapsIn('team'),
      '/apis/apps/v1/namespaces/team/deployments',
      '/api/v1/namespaces/team',
      configMapsIn('default'),
      '/api/v1/configmaps',
      '/api/v1/namespaces',
      '/api/v1/namespaces/default',
      '/api/v1/nodes',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    ]
    expect(
      await statuses(
        admin,
        paths.map((path) => base + path),
      ),
    ).to.deep.equal([...[200, 200, 200], ...[403, 403, 403, 403, 403, 403]])
    const refused = await admin.get(`${base}${configMapsIn('default')}`)
    expect([refused.field('kind'), refused.field('message')]).to.deep.equal([
      'Status',
      `configmaps is forbidden: User "admin" cannot list resource "configmaps" in API group "" in the namespace "default": ${outside}`,
    ])
    expect((await admin.delete(`${base}/api/v1/namespaces/team`)).status).to.equal(403)
    const made = await admin.post(`${base}/api/v1/namespaces`, { metadata: { name: 'more' } })
    expect(made.status).to.equal(403)
  })

  it('are open to users with access (facts 7.1)', async () => {
    expect((await bob.get(`${base}/version`)).status).to.equal(403)
    expect((await bob.with({ authorization: 'Bearer x' }).get(`${base}/version`)).status).to.equal(
      401,
    )
    expect((await admin.get(`${spaceBase('none')}/version`)).status).to.equal(404)
    await letUse(admin, 'sam', 'spaceinstances')
    const sam = await userClient(server(), 'sam', { name: 'sam' })
    const paths = [base, one].map((plane) => `${plane}${configMapsIn('team')}`)
    expect(await statuses(sam, paths)).to.deep.equal([200, 403])
  })

  it('give the role of their access rules inside, administrator of the namespace by default', async () => {
    await letUse(admin, 'vic', 'spaceinstances')
    const vic = await userClient(server(), 'vic', { name: 'vic' })
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/team/roles'
    const role = (name: string) => vic.post(`${base}${roles}`, { metadata: { name }, rules: [] })
    expect((await role('first')).status).to.equal(201)
    const quota = await vic.post(`${base}/api/v1/namespaces/team/resourcequotas`, {
      metadata: { name: 'own' },
    })
    expect(quota.status).to.equal(403)
    const extraAccessRules = [{ users: ['vic'], clusterRole: 'view' }]
    await admin.patch(`${spaces}/web`, 'merge-patch+json', { spec: { extraAccessRules } })
    expect((await role('second')).status).to.equal(403)
    expect((await vic.get(`${base}${configMapsIn('team')}`)).status).to.equal(200)
  })

  it('answer reviews for the rights inside', async () => {
    const ask = async (namespace: string) => {
      const resourceAttributes = { namespace, verb: 'list', resource: 'configmaps' }
      const answer = await admin.post(
        `${base}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`,
        { spec: { resourceAttributes } },
      )
      return [answer.status, answer.field('status', 'allowed')]
    }
    expect(await ask('team')).to.deep.equal([201, true])
    expect(await ask('default')).to.deep.equal([201, false])
    expect(await ask('')).to.deep.equal([201, false])
    const rules = await admin.post(`${base}/apis/authorization.k8s.io/v1/selfsubjectrulesreviews`, {
      spec: { namespace: 'default' },
    })
    expect(rules.field('status', 'resourceRules')).to.deep.equal([])
  })

  it("allow impersonation of the namespace's accounts only", async () => {
    const path = `${base}${configMapsIn('team')}`
    const as = (user: string) => admin.with({ 'impersonate-user': user }).get(path)
    expect((await as('bob')).field('message')).to.include(outside)
    const account = await as('system:serviceaccount:team:default')
    expect(account.field('message')).to.include('system:serviceaccount:team:default')
  })

  it('are the only access of a key with a scope of the space (facts 2)', async () => {
    const scope = { spaces: [{ project: 'shop', space: 'web' }] }
    const key = await admin.post(`${management}/ownedaccesskeys`, {
      metadata: { name: 'admin-web' },
      spec: { user: 'admin', type: 'User', scope },
    })
    const client = clientOf(server().running, String(key.field('spec', 'key')))
    const paths = [
      `${base}${configMapsIn('team')}`,
      `${base}/api`,
      `${base}${configMapsIn('default')}`,
      `${spaceBase('plain')}/api`,
      `${one}${configMapsIn('team')}`,
      `${management}/users`,
    ]
    expect(await statuses(client, paths)).to.deep.equal([200, 200, 403, 403, 403, 403])
  })

  it('are closed to a key of another scope', async () => {
    const scope = { virtualClusters: [{ project: 'shop', virtualCluster: '*' }] }
    const key = await admin.post(`${management}/ownedaccesskeys`, {
      metadata: { name: 'admin-virtual' },
      spec: { user: 'admin', type: 'User', scope },
    })
    const client = clientOf(server().running, String(key.field('spec', 'key')))
    expect((await client.get(`${base}/api`)).status).to.equal(403)
    expect((await client.get(`${instanceBase('none')}/api`)).status).to.equal(404)
  })

  const nowhere: [name: string, spec: object, code: number, message: string][] = [
    ['names no cluster', {}, 503, 'space "nowhere" is in no cluster: spec.clusterRef names none'],
    [
      'names a cluster that does not exist',
      { clusterRef: { cluster: 'gone' } },
      503,
      'space "nowhere" is in cluster "gone", which does not exist',
    ],
    [
      'names a namespace that was there before',
      { clusterRef: { cluster: 'one', namespace: 'default' } },
      403,
      'spaceinstances.management.platform "nowhere" is forbidden: namespace "default" of its cluster is not the space\'s own',
    ],
    [
      'names a namespace that is to be of a virtual cluster',
      { clusterRef: { cluster: 'one', namespace: 'platform-other-v-web' } },
      403,
      'spaceinstances.management.platform "nowhere" is forbidden: namespace "platform-other-v-web" has a name that is reserved',
    ],
    [
      'names the namespace of another space',
      { clusterRef: { cluster: 'one', namespace: 'team' } },
      403,
      'spaceinstances.management.platform "nowhere" is forbidden: namespace "team" of its cluster is not the space\'s own',
    ],
  ]
  for (const [name, spec, code, message] of nowhere) {
    it(`that ${name}: ${code}`, async () => {
      await makeSpace('nowhere', spec)
      const answer = await admin.get(`${spaceBase('nowhere')}/api`)
      expect([answer.status, answer.field('kind'), answer.field('message')]).to.deep.equal([
        ...[code, 'Status'],
        message,
      ])
      await admin.delete(`${spaces}/nowhere`)
      expect((await admin.get(`${one}/api/v1/namespaces/kube-system`)).status).to.equal(200)
    })
  }

  it('in a cluster that the project may no longer use: 403', async () => {
    const allow = (...names: string[]) =>
      admin.patch(`${management}/projects/shop`, 'merge-patch+json', {
        spec: { allowedClusters: names.map((name) => ({ name })) },
      })
    await allow('one', 'gone', 'two')
    await makeSpace('late', { clusterRef: { cluster: 'two' } })
    expect((await admin.get(`${spaceBase('late')}/api`)).status).to.equal(200)
    await allow('one', 'gone')
    const answer = await admin.get(`${spaceBase('late')}/api`)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      403,
      'spaceinstances.management.platform "late" is forbidden: project "shop" may not use cluster "two"',
    ])
    await admin.delete(`${spaces}/late`)
  })

  it('are deleted with their watches, namespace and content; one created again is empty', async () => {
    const clusterRef = { cluster: 'one', namespace: 'brief' }
    await makeSpace('brief', { clusterRef })
    const inside = `${spaceBase('brief')}${configMapsIn('brief')}`
    await admin.post(inside, { metadata: { name: 'own' } })
    const watch = await admin.open(`${inside}?watch=1`)
    const ended = new Promise((resolve) => watch.resume().on('end', resolve))
    await admin.delete(`${spaces}/brief`)
    await ended
    const namespace = `${one}/api/v1/namespaces/brief`
    await waitUntil(async () => (await admin.get(namespace)).status === 404)
    await makeSpace('brief', { clusterRef })
    expect(await namesOf(admin, inside)).to.not.include('own')
  })
})
