import { expect } from 'chai'
import { audited } from '../endpoints/support/auditedServer.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { clientOf, useTestServer } from '../endpoints/support/testServer.ts'
import { clusterBase, instanceBase, makePlanes } from './planes/planeServer.ts'

const accounts = '/api/v1/namespaces/default/serviceaccounts'
const pods = '/api/v1/namespaces/default/pods'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const reviews = '/apis/authentication.k8s.io/v1'
const apiVersion = 'authentication.k8s.io/v1'

describe('tokens of service accounts', function () {
  this.timeout(20_000)
  const server = useTestServer()
  let admin: HttpClient

  before(async () => {
    admin = server().admin
    await makePlanes(admin, { hosts: ['one', 'two'], virtual: ['web'] })
    await admin.post(accounts, { metadata: { name: 'robot' } })
  })

  const request = (spec: object, base = '', name = 'robot') =>
    admin.post(`${base}${accounts}/${name}/token`, { spec })
  const tokenOf = async (base = '', spec: object = {}) => {
    const made = await request(spec, base)
    expect(made.status, made.text).to.equal(201)
    return String(made.field('status', 'token'))
  }
  const withToken = (token: string) => clientOf(server().running, token)
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >

  it('a TokenRequest is answered with the token and its expiry', async () => {
    const made = await request({ audiences: ['vault'], expirationSeconds: 7200 })
    expect(made.status, made.text).to.equal(201)
    const { metadata, spec, kind } = made.json as {
      kind: string
      metadata: { creationTimestamp: string }
      spec: object
    }
    expect(kind).to.equal('TokenRequest')
    expect(metadata).to.deep.include({ name: 'robot', namespace: 'default' })
    expect(spec).to.deep.equal({
      audiences: ['vault'],
      expirationSeconds: 7200,
      boundObjectRef: null,
    })
    const end = Date.parse(String(made.field('status', 'expirationTimestamp')))
    expect(end - Date.parse(metadata.creationTimestamp)).to.equal(7_200_000)
    const { exp, iat, iss } = claimsOf(String(made.field('status', 'token')))
    expect([Number(exp) - Number(iat), iss]).to.deep.equal([7200, server().running.url])
  })

  it('a TokenRequest keeps the metadata that it was sent with', async () => {
    const sent = {
      ...{ name: 'robot', generateName: 'x', selfLink: '/x', resourceVersion: '5', generation: 3 },
      ...{ deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 1 },
      ...{ labels: { a: 'b' }, finalizers: ['example.com/f'] },
    }
    const made = await admin.post(`${accounts}/robot/token`, { metadata: sent, spec: {} })
    expect(made.status, made.text).to.equal(201)
    expect(made.field('metadata')).to.deep.include(sent)
    const creation = { creationTimestamp: '2020-01-01T00:00:00Z' }
    const answer = await admin.post(`${accounts}/robot/token`, { metadata: creation, spec: {} })
    expect(answer.field('metadata', 'creationTimestamp')).to.not.equal(creation.creationTimestamp)
  })

  const refusals: { name: string; account?: string; body: object; code: number; text: string }[] = [
    {
      name: 'less than ten minutes',
      body: { spec: { expirationSeconds: 599 } },
      code: 422,
      text: 'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    },
    {
      name: 'more than 2^32 seconds',
      body: { spec: { expirationSeconds: 2 ** 32 + 1 } },
      code: 422,
      text: 'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    },
    {
      name: 'an account that is not there',
      account: 'nobody',
      body: { spec: {} },
      code: 404,
      text: 'serviceaccounts "nobody" not found',
    },
    {
      name: 'another name in the body',
      body: { metadata: { name: 'other' }, spec: {} },
      code: 422,
      text: 'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    },
    {
      name: 'another namespace in the body',
      body: { metadata: { namespace: 'other' }, spec: {} },
      code: 400,
      text: 'the namespace of the provided object does not match the namespace sent on the request',
    },
    {
      name: 'an object that binds nothing',
      body: {
        spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' } },
      },
      code: 400,
      text: 'cannot bind token to object of type apps/v1, Kind=Deployment',
    },
    {
      name: 'a pod that is not there',
      body: { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'x' } } },
      code: 404,
      text: 'pods "x" not found',
    },
  ]
  for (const { name, account = 'robot', body, code, text } of refusals) {
    it(`refuses ${name}: ${code}`, async () => {
      const answer = await admin.post(`${accounts}/${account}/token`, body)
      expect([answer.status, answer.field('message')]).to.deep.equal([code, text])
    })
  }

  it('authenticates as the account, with the rights that roles give it (reference 7.1, 7.2)', async () => {
    const robot = withToken(await tokenOf())
    const who = await robot.post(`${reviews}/selfsubjectreviews`, {})
    expect(who.field('status', 'userInfo', 'groups')).to.deep.equal([
      'system:serviceaccounts',
      'system:serviceaccounts:default',
      'system:authenticated',
    ])
    const before = await robot.get(pods)
    expect([before.status, before.field('message')]).to.deep.equal([
      403,
      'pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" in the namespace "default"',
    ])
    await admin.post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'robot' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    })
    expect((await robot.get(pods)).status).to.equal(200)
    expect((await robot.get('/api/v1/namespaces/kube-system/pods')).status).to.equal(403)
  })

  it('TokenReview accepts them for their audiences (reference 7.9)', async () => {
    const token = await tokenOf('', { audiences: ['vault'] })
    const review = async (spec: object) =>
      (
        await admin.post(`${reviews}/tokenreviews`, { apiVersion, kind: 'TokenReview', spec })
      ).field('status')
    const found = (await review({ token, audiences: ['vault', 'x'] })) as {
      user: { username: string; extra: object }
    }
    expect(found).to.deep.include({ authenticated: true, audiences: ['vault'] })
    expect(found.user.username).to.equal('system:serviceaccount:default:robot')
    expect(found.user.extra).to.have.keys('authentication.kubernetes.io/credential-id')
    expect(await review({ token })).to.have.keys('error', 'user')
    expect((await withToken(token).get(pods)).status).to.equal(401)
  })

  it('expire with the account or the bound object', async () => {
    await admin.post(accounts, { metadata: { name: 'short' } })
    const pod = await admin.post(pods, {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'short', containers: [{ name: 'c', image: 'i' }] },
    })
    const uid = pod.field('metadata', 'uid')
    const reference = { kind: 'Pod', apiVersion: 'v1', name: 'p' }
    const wrong = await request({ boundObjectRef: { ...reference, uid: 'x' } }, '', 'short')
    expect([wrong.status, wrong.field('message')]).to.deep.equal([
      409,
      `Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated`,
    ])
    const other = await request({ boundObjectRef: reference })
    expect([other.status, other.field('message')]).to.deep.equal([
      400,
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ])
    const bound = await request({ boundObjectRef: { ...reference, uid } }, '', 'short')
    const free = await request({}, '', 'short')
    const clients = [bound, free].map((made) => withToken(String(made.field('status', 'token'))))
    const codes = async () =>
      Promise.all(
        clients.map(
          async (client) => (await client.post(`${reviews}/selfsubjectreviews`, {})).status,
        ),
      )
    expect(await codes()).to.deep.equal([201, 201])
    await admin.delete(`${pods}/p`)
    expect(await codes()).to.deep.equal([401, 201])
    await admin.delete(`${accounts}/short`)
    expect(await codes()).to.deep.equal([401, 401])
  })

  it('a kubelet-style pod token lives for a year and says when to refresh it', async () => {
    await admin.post(pods, {
      metadata: { name: 'q' },
      spec: {
        serviceAccountName: 'robot',
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'i' }],
      },
    })
    const reference = { kind: 'Pod', apiVersion: 'v1', name: 'q' }
    const made = await request({ expirationSeconds: 3607, boundObjectRef: reference })
    const { exp, iat, 'kubernetes.io': claim } = claimsOf(String(made.field('status', 'token')))
    expect(Number(exp) - Number(iat)).to.equal(365 * 24 * 3600)
    expect(claim).to.deep.include({ node: { name: 'n1', uid: '' }, warnafter: Number(iat) + 3607 })
  })

  it('are valid on their own control plane only', async () => {
    const bases = ['', clusterBase('one'), clusterBase('two'), instanceBase('web')]
    const found: Record<string, number[]> = {}
    for (const base of bases) {
      if (base !== '') await admin.post(`${base}${accounts}`, { metadata: { name: 'robot' } })
    }
    for (const base of bases) {
      const client = withToken(await tokenOf(base))
      found[base] = []
      for (const other of bases) {
        const answer = await client.post(`${other}${reviews}/selfsubjectreviews`, {})
        found[base].push(answer.status)
      }
    }
    expect(Object.values(found)).to.deep.equal([
      [201, 401, 401, 401],
      [401, 201, 401, 401],
      [401, 401, 201, 401],
      [401, 401, 401, 201],
    ])
  })

  it("give an account the plane's roles inside a plane, and no platform rights", async () => {
    const base = clusterBase('one')
    const client = withToken(await tokenOf(base))
    expect((await client.get(`${base}${pods}`)).status).to.equal(403)
    await admin.post(`${base}${rbac}/clusterrolebindings`, {
      metadata: { name: 'robot' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    })
    expect((await client.get(`${base}${pods}`)).status).to.equal(200)
  })

  it("have keys at their issuer's address, for the plane that it names (reference 6.9)", async () => {
    for (const base of ['', clusterBase('one'), instanceBase('web')]) {
      const client = withToken(await tokenOf(base))
      const { iss } = claimsOf(await tokenOf(base))
      expect(iss).to.equal(`${server().running.url}${base}`)
      const document = await client.get(`${base}/.well-known/openid-configuration`)
      expect(document.json, document.text).to.deep.equal({
        issuer: iss,
        jwks_uri: `${String(iss)}/openid/v1/jwks`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
      const keys = await client.get(`${base}/openid/v1/jwks`)
      expect(keys.headers['content-type']).to.equal('application/jwk-set+json')
      expect((keys.field('keys') as unknown[]).length).to.be.greaterThan(0)
    }
    const role = `${rbac}/clusterroles/system:service-account-issuer-discovery`
    expect((await admin.get(role)).field('rules')).to.deep.equal([
      {
        verbs: ['get'],
        nonResourceURLs: ['/.well-known/openid-configuration', '/openid/v1/jwks'],
      },
    ])
    const binding = role.replace('clusterroles', 'clusterrolebindings')
    expect((await admin.get(binding)).field('subjects', 0, 'name')).to.equal(
      'system:serviceaccounts',
    )
  })

  it('requested with a restricted key have its restriction', async () => {
    const key = await admin.post('/apis/management.platform/v1/ownedaccesskeys', {
      metadata: { name: 'narrow' },
      spec: {
        user: 'admin',
        type: 'User',
        scope: { rules: [{ verbs: ['create'], requestTargets: ['Management'] }] },
      },
    })
    expect(key.status, key.text).to.equal(201)
    const narrow = withToken(String(key.field('spec', 'key')))
    const made = await narrow.post(`${accounts}/robot/token`, { spec: {} })
    expect(made.status, made.text).to.equal(201)
    const robot = withToken(String(made.field('status', 'token')))
    expect((await robot.get(pods)).status).to.equal(403)
    expect((await withToken(await tokenOf()).get(pods)).status).to.equal(200)
  })

  it('are named but not shown by the audit log', async () => {
    const policy = { rules: [{ level: 'RequestResponse' }] }
    let token = ''
    const { events, text } = await audited({ policy }, async ({ admin: client, running }) => {
      const made = await client.post('/api/v1/namespaces/kube-system/serviceaccounts', {
        metadata: { name: 'robot' },
      })
      const path = `/api/v1/namespaces/kube-system/serviceaccounts/${String(made.field('metadata', 'name'))}/token`
      token = String((await client.post(path, { spec: {} })).field('status', 'token'))
      await clientOf(running, token).get(pods)
    })
    expect(text).to.not.include(token)
    const jti = `JTI=${String(claimsOf(token)['jti'])}`
    const completed = events.filter(({ stage }) => stage === 'ResponseComplete')
    const handedOut = completed.find(({ requestURI }) => requestURI.endsWith('/token'))
    const used = completed.find(({ verb }) => verb === 'list')
    expect(handedOut?.annotations).to.include({
      'authentication.kubernetes.io/issued-credential-id': jti,
    })
    expect(used?.user?.username).to.equal('system:serviceaccount:kube-system:robot')
    expect(used?.user?.extra).to.deep.equal({
      'authentication.kubernetes.io/credential-id': [jti],
    })
  })

  it('have a subresource in discovery (reference 6.1)', async () => {
    const list = (await admin.get('/api/v1')).field('resources') as { name: string }[]
    expect(list.find(({ name }) => name === 'serviceaccounts/token')).to.deep.equal({
      name: 'serviceaccounts/token',
      singularName: '',
      namespaced: true,
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    })
  })
})
