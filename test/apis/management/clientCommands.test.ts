import { expect } from 'chai'
import type { Answer, HttpClient } from '../../endpoints/support/httpClient.ts'
import { clientOf, management, openBob, useTestServer } from '../../endpoints/support/testServer.ts'

/** Path at which command-line clients reach the management API. */
const m = `/kubernetes/management${management}`
const inShop = `${m}/namespaces/p-shop`

async function answered(answer: Promise<Answer>, code: number): Promise<Answer> {
  const done = await answer
  expect(done.status, done.text).to.equal(code)
  return done
}

const ok = (answer: Promise<Answer>) => answered(answer, 200)
const made = (answer: Promise<Answer>) => answered(answer, 201)

describe('requests of command-line clients', () => {
  const server = useTestServer()
  let admin: HttpClient
  let bob: HttpClient

  before(async () => {
    admin = server().admin
    bob = await openBob(server())
    await made(admin.post(`${m}/clusters`, { metadata: { name: 'one' } }))
    await made(admin.post(`${m}/teams`, { metadata: { name: 'ops' }, spec: { users: ['bob'] } }))
    const template = { kind: 'VirtualClusterTemplate', name: 'small', isDefault: true }
    await made(admin.post(`${m}/virtualclustertemplates`, { metadata: { name: 'small' } }))
    const others = ['large', 'none'].map((name) => ({ kind: template.kind, name }))
    const allowedTemplates = [template, ...others]
    const spec = { allowedClusters: [{ name: '*' }], allowedTemplates }
    await made(admin.post(`${m}/projects`, { metadata: { name: 'shop' }, spec }))
  })

  it('login and logout: POST selves, then DELETE the key of a login (facts 3.2)', async () => {
    const key = await made(
      admin.post(`${m}/ownedaccesskeys`, {
        metadata: { name: 'login' },
        spec: { user: 'bob', type: 'Login' },
      }),
    )
    const client = clientOf(server().running, String(key.field('spec', 'key')))
    const self = await made(client.post(`${m}/selves`, {}))
    expect(self.field('status', 'accessKeyType')).to.equal('Login')
    const name = String(self.field('status', 'accessKey'))
    await ok(client.delete(`${m}/ownedaccesskeys/${name}`))
    await answered(client.post(`${m}/selves`, {}), 401)
  })

  it('login: GET the user and its teams for their pull secrets (facts 3.2)', async () => {
    const self = await made(bob.post(`${m}/selves`, {}))
    expect(self.field('status', 'user', 'teams', 0, 'name')).to.equal('ops')
    await ok(admin.get(`${m}/users/${String(self.field('status', 'user', 'name'))}`))
    await ok(admin.get(`${m}/teams/ops`))
  })

  it('token: POST directclusterendpointtokens with an empty body (facts 3.2)', async () => {
    const token = await made(bob.post(`${m}/directclusterendpointtokens`, {}))
    expect(String(token.field('status', 'token')).split('.').length).to.equal(3)
  })

  it('create vcluster: template, POST, and ready when it is asked for (facts 3.2)', async () => {
    const templates = await ok(admin.get(`${m}/projects/shop/templates`))
    const name = String(templates.field('defaultVirtualClusterTemplate'))
    const spec = { templateRef: { name }, clusterRef: { cluster: 'one' } }
    await made(admin.post(`${inShop}/virtualclusterinstances`, { metadata: { name: 'web' }, spec }))
    const instance = await ok(admin.get(`${inShop}/virtualclusterinstances/web?extended=true`))
    expect(instance.field('spec')).to.deep.equal({ ...spec, owner: { user: 'admin' } })
    expect(instance.field('status')).to.deep.equal({
      phase: 'Ready',
      canUse: true,
      canUpdate: true,
    })
  })

  it('connect vcluster: GET the clusters of the project (facts 3.2)', async () => {
    const clusters = await ok(admin.get(`${m}/projects/shop/clusters`))
    expect(clusters.field('clusters', 0, 'metadata', 'name')).to.equal('one')
  })

  it('list vclusters: everywhere and in one project (facts 3.2)', async () => {
    for (const path of [`${m}/virtualclusterinstances`, `${inShop}/virtualclusterinstances`]) {
      const list = await ok(admin.get(`${path}?extended=true`))
      expect(list.field('items', 0, 'status', 'canUse')).to.equal(true)
    }
  })

  it('does not store the fields that only extended=true shows', async () => {
    const path = `${inShop}/virtualclusterinstances/web`
    const shown = await ok(admin.get(`${path}?extended=true`))
    await ok(admin.put(path, shown.bytes))
    expect((await ok(admin.get(path))).field('status')).to.deep.equal({ phase: 'Ready' })
  })

  it('sleep and wake: PATCH annotations, then the phase (facts 3.2)', async () => {
    const path = `${inShop}/virtualclusterinstances/web`
    const annotate = (force: string | null) =>
      admin.patch(path, 'merge-patch+json', {
        metadata: { annotations: { 'sleepmode.platform/force': force } },
      })
    expect((await ok(annotate('true'))).field('status', 'phase')).to.equal('Sleeping')
    expect((await ok(annotate(null))).field('status', 'phase')).to.equal('Ready')
  })

  it('keeps the reported status until one of its dependencies changes', async () => {
    const path = `${inShop}/virtualclusterinstances/web`
    const status = { phase: 'Failed', reason: 'Broken' }
    await ok(admin.patch(`${path}/status`, 'merge-patch+json', { status }))
    const labelled = await ok(
      admin.patch(path, 'merge-patch+json', { spec: { displayName: 'Web' } }),
    )
    expect(labelled.field('status')).to.deep.equal(status)
    await ok(admin.patch(`${path}/status`, 'merge-patch+json', { status: null }))
  })

  describe('of a template', () => {
    const path = `${inShop}/virtualclusterinstances`
    const large = { accessPoint: { ingress: { enabled: true } } }

    before(async () => {
      const spec = { template: large, versions: [{ version: '1', template: { old: true } }] }
      await made(admin.post(`${m}/virtualclustertemplates`, { metadata: { name: 'large' }, spec }))
    })

    const cases: [name: string, templateRef: object, status: object][] = [
      ['newest', { name: 'large' }, { phase: 'Ready', virtualCluster: large }],
      ['first', { name: 'large', version: '1' }, { phase: 'Ready', virtualCluster: { old: true } }],
      ['none', { name: 'none' }, missing()],
      ['no-version', { name: 'large', version: '7' }, missing()],
    ]
    for (const [name, templateRef, status] of cases) {
      it(`an instance shows its template: ${name} (facts 3.2)`, async () => {
        const answer = await made(admin.post(path, { metadata: { name }, spec: { templateRef } }))
        expect(answer.field('status')).to.deep.equal(status)
      })
    }

    it('has the ingress of its template (facts 1.6)', async () => {
      await made(admin.post(`${path}/newest/kubeconfig`, {}))
    })
  })

  function missing(): object {
    return {
      phase: 'Failed',
      reason: 'TemplateNotFound',
      message: 'the template that spec.templateRef names does not exist',
    }
  }

  it('share vcluster: PUT with more access (facts 3.2)', async () => {
    const path = `${inShop}/virtualclusterinstances/web`
    // The response is the instance that was just read.
    const instance = (await ok(admin.get(path))).json as { spec: Record<string, unknown> }
    instance.spec['extraAccessRules'] = [{ users: ['bob'], clusterRole: 'cluster-admin' }]
    const shared = await ok(admin.put(path, instance))
    expect(shared.field('spec', 'extraAccessRules', 0, 'users')).to.deep.equal(['bob'])
  })

  it('shows a user with an access entry the allowed verbs (facts 3.2)', async () => {
    const path = `${inShop}/virtualclusterinstances/shared`
    const access = [{ verbs: ['get', 'use'], users: ['bob'] }]
    await made(
      admin.post(`${inShop}/virtualclusterinstances`, {
        metadata: { name: 'shared' },
        spec: { access },
      }),
    )
    let answer = await bob.get(`${path}?extended=true`)
    for (let tries = 0; answer.status !== 200 && tries < 200; tries++) {
      answer = await bob.get(`${path}?extended=true`)
    }
    expect(answer.field('status')).to.deep.equal({ phase: 'Ready', canUse: true })
    await answered(bob.post(`${path}/kubeconfig`, {}), 403)
  })

  it('add vcluster: GET its access key, always the same (facts 3.2)', async () => {
    const path = `${inShop}/virtualclusterinstances/web/accesskey`
    const first = await ok(admin.get(path))
    expect((await ok(admin.get(path))).json).to.deep.equal(first.json)
    const agent = clientOf(server().running, String(first.field('accessKey')))
    const self = await agent.post(`${m}/selves`, {})
    expect(self.status === 201 || self.status === 403, self.text).to.equal(true)
    await answered(agent.get(`${m}/users`), 403)
  })

  it('add cluster: POST, GET its access key, and initialized (facts 3.2)', async () => {
    await made(admin.post(`${m}/clusters`, { metadata: { name: 'two' } }))
    await answered(admin.post(`${m}/clusters`, { metadata: { name: 'two' } }), 409)
    const key = await ok(admin.get(`${m}/clusters/two/accesskey`))
    const { running } = server()
    expect(key.json).to.deep.equal({
      kind: 'ClusterAccessKey',
      apiVersion: 'management.platform/v1',
      metadata: { name: 'two' },
      accessKey: key.field('accessKey'),
      platformHost: new URL(running.url).host,
      caCert: Buffer.from(running.caCertificate ?? '').toString('base64'),
    })
    expect(key.text).to.match(/"accessKey":"[0-9a-f]{64}"/)
    const cluster = await ok(admin.get(`${m}/clusters/two`))
    expect(cluster.field('status')).to.deep.equal({ phase: 'Initialized' })
  })

  it('has another access key for each cluster', async () => {
    const keys = await Promise.all(
      ['one', 'two'].map((name) => ok(admin.get(`${m}/clusters/${name}/accesskey`))),
    )
    expect(new Set(keys.map((key) => key.field('accessKey'))).size).to.equal(2)
  })

  it('connect cluster: annotations name its direct endpoint (facts 3.2)', async () => {
    const annotations = { 'platform/direct-cluster-endpoint': 'one.example' }
    await ok(admin.patch(`${m}/clusters/one`, 'merge-patch+json', { metadata: { annotations } }))
    const cluster = await ok(admin.get(`${m}/clusters/one`))
    expect(cluster.field('metadata', 'annotations')).to.deep.equal(annotations)
  })

  it('connect cluster: 403 without the right (facts 3.2)', async () => {
    await answered(bob.get(`${m}/clusters/one`), 403)
  })

  it('connect namespace and list: spaces, projects, clusters, teams (facts 3.2)', async () => {
    const spec = { clusterRef: { cluster: 'one' } }
    await made(admin.post(`${inShop}/spaceinstances`, { metadata: { name: 'space' }, spec }))
    const spaces = await ok(admin.get(`${m}/spaceinstances?extended=true`))
    expect(spaces.field('items', 0, 'status')).to.deep.equal({
      phase: 'Ready',
      canUse: true,
      canUpdate: true,
    })
    for (const list of ['projects', 'clusters', 'teams']) await ok(admin.get(`${m}/${list}`))
  })

  it('GET teams/T/accesskeys gives the keys of the team (facts 1.0)', async () => {
    await made(
      admin.post(`${m}/ownedaccesskeys`, { metadata: { name: 'of-ops' }, spec: { team: 'ops' } }),
    )
    const keys = await ok(admin.get(`${m}/teams/ops/accesskeys`))
    expect(keys.field('accessKeys', 'length')).to.equal(1)
    expect(keys.field('accessKeys', 0, 'metadata', 'name')).to.equal('of-ops')
  })

  it('translates the name of an object of a virtual cluster (facts 3.3)', async () => {
    const spec = { name: 'my-secret', namespace: 'default', vclusterName: 'my-vcluster' }
    const answer = await made(bob.post(`${m}/translatevclusterresourcenames`, { spec }))
    expect(answer.field('status')).to.deep.equal({ name: 'my-secret-x-default-x-my-vcluster' })
  })

  it('delete vcluster: DELETE, then 404 (facts 3.2)', async () => {
    await ok(admin.delete(`${inShop}/virtualclusterinstances/web`))
    await answered(admin.get(`${inShop}/virtualclusterinstances/web`), 404)
  })
})
