import { expect } from 'chai'
import { readFile, writeFile } from 'node:fs/promises'
import { waitUntil } from '../support/waitUntil.ts'
import type { TlsAnswer, TlsRequest } from '../support/servers/tlsRequest.ts'
import { Answer, ClusterHarness } from './clusterHarness.ts'

describe('kube-apiserver of a folder for envtest', () => {
  let harness: ClusterHarness
  beforeEach(async function () {
    this.timeout(30_000)
    harness = await ClusterHarness.open()
  })
  afterEach(async function () {
    this.timeout(20_000)
    await harness.close()
  })

  const namesIn = async (path: string) => (await harness.get(path)).names()
  const post = (path: string, given: TlsRequest) =>
    harness.request(path, { method: 'POST', ...given })
  const errorOf = (answer: TlsAnswer) => new Answer(answer).field('message')

  it('serves Kubernetes alone, at the root', async () => {
    await harness.start()
    const groups = (await harness.get('/apis')).field('groups') as { name: string }[]
    const foreign = groups.filter(({ name }) => !/k8s\.io$|^[a-z]+$/.test(name))
    expect(foreign).to.deep.equal([])
    expect(await namesIn('/api/v1/namespaces')).to.deep.equal([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ])
  })

  it('runs no controllers: no accounts, no published certificates, and namespaces stay Terminating', async () => {
    await harness.start()
    await harness.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
    const sent = { certificate: harness.admin, method: 'DELETE' }
    await harness.request('/api/v1/namespaces/shop', sent)
    // After that, the objects that the server creates itself exist.
    await waitUntil(
      async () => (await namesIn('/apis/scheduling.k8s.io/v1/priorityclasses')).length === 2,
    )
    await waitUntil(
      async () => (await namesIn('/apis/apiregistration.k8s.io/v1/apiservices')).length > 15,
    )
    const shop = await harness.get('/api/v1/namespaces/shop')
    expect([
      shop.field('status.phase'),
      typeof shop.field('metadata.deletionTimestamp'),
    ]).to.deep.equal(['Terminating', 'string'])
    expect(await namesIn('/api/v1/serviceaccounts')).to.deep.equal([])
    expect(await namesIn('/api/v1/configmaps')).to.not.include('kube-root-ca.crt')
  })

  it('runs the controllers that the environment names', async () => {
    await harness.start([], { PLATFORM_ENVTEST_CONTROLLERS: '*,-serviceaccount-controller' })
    await harness.create('/api/v1/namespaces', { metadata: { name: 'shop' } })
    await waitUntil(async () => (await namesIn('/api/v1/namespaces/shop/configmaps')).length === 1)
    await harness.request('/api/v1/namespaces/shop', {
      certificate: harness.admin,
      method: 'DELETE',
    })
    await waitUntil(async () => (await harness.request('/api/v1/namespaces/shop')).status === 404)
    expect(await namesIn('/api/v1/serviceaccounts')).to.deep.equal([])
  })

  it('keeps its objects across a restart', async () => {
    await harness.start()
    const made = await harness.create('/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'kept' },
    })
    await harness.stop()
    await harness.start()
    const kept = await harness.get('/api/v1/namespaces/default/configmaps/kept')
    expect([kept.status, kept.field('metadata.uid')]).to.deep.equal([
      200,
      made.field('metadata.uid'),
    ])
  })

  it('authenticates users of a token file, and anonymous ones', async () => {
    await writeFile(harness.path('tokens'), 'sesame,ali,7,"ops,system:masters"\nother,bob,8\n')
    await harness.start([`--token-auth-file=${harness.path('tokens')}`])
    const whoAmI = async (token: string) => {
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
      const answer = new Answer(await post(path, { token, body }))
      return [answer.status, answer.field('status.userInfo')]
    }
    const groups = ['ops', 'system:masters', 'system:authenticated']
    expect(await whoAmI('sesame')).to.deep.equal([201, { username: 'ali', uid: '7', groups }])
    const pods = (token?: string) => harness.request('/api/v1/pods', { token })
    const [bob, wrong, nobody] = [await pods('other'), await pods('x'), await pods()]
    expect([bob.status, wrong.status, nobody.status]).to.deep.equal([403, 401, 403])
    expect(errorOf(nobody)).to.equal(
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
    )
  })

  it('starts with the roles of all components, aggregated ones empty without their controller', async () => {
    await harness.start()
    const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const admin = await harness.get(`${role}/admin`)
    const job = await harness.get(`${role}/system:controller:job-controller`)
    const bound = await harness.get(
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:controller:job-controller',
    )
    const reader = await harness.get(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/system::leader-locking-kube-scheduler',
    )
    expect([
      admin.field('rules'),
      job.field('rules.0.apiGroups'),
      bound.field('subjects'),
      reader.field('rules.0.resources'),
      (await namesIn(role)).length,
    ]).to.deep.equal([
      null,
      ['batch'],
      [{ kind: 'ServiceAccount', name: 'job-controller', namespace: 'kube-system' }],
      ['leases'],
      73,
    ])
    expect(await namesIn('/api/v1/namespaces/kube-system/configmaps')).to.deep.equal([
      'extension-apiserver-authentication',
      'kube-apiserver-legacy-service-account-token-tracking',
    ])
  })

  it('lets a controller block the deletion of owners that it may not delete', async () => {
    await writeFile(
      harness.path('tokens'),
      'job,system:serviceaccount:kube-system:job-controller,8\n',
    )
    await harness.start([`--token-auth-file=${harness.path('tokens')}`])
    await harness.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'job' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'system:controller:job-controller',
      },
      subjects: [{ kind: 'User', name: 'system:serviceaccount:kube-system:job-controller' }],
    })
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u' }
    const body = {
      metadata: { name: 'p', ownerReferences: [{ ...owner, blockOwnerDeletion: true }] },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    const made = await post('/api/v1/namespaces/default/pods', { token: 'job', body })
    expect(made.status).to.equal(201)
  })

  it('refuses anonymous requests if the flag says so', async () => {
    await harness.start(['--anonymous-auth=false'])
    expect((await harness.request('/api/v1/pods', {})).status).to.equal(401)
  })

  it('allows everyone with AlwaysAllow, except without a credential', async () => {
    await writeFile(harness.path('tokens'), 'other,bob,8\n')
    await harness.start([
      '--authorization-mode=AlwaysAllow',
      `--token-auth-file=${harness.path('tokens')}`,
    ])
    const [bob, nobody] = [
      await harness.request('/api/v1/pods', { token: 'other' }),
      await harness.request('/api/v1/pods', {}),
    ]
    expect([bob.status, nobody.status]).to.deep.equal([200, 401])
  })

  it('signs tokens of service accounts with the ECDSA key of its file', async () => {
    await harness.start()
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await harness.create(accounts, { metadata: { name: 'builder' } })
    const made = await harness.create(`${accounts}/builder/token`, { spec: {} })
    const token = String(made.field('status.token'))
    const header = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
    const published = await harness.get('/openid/v1/jwks')
    const key = published.field('keys.0') as Record<string, unknown>
    expect([JSON.parse(header), key['kty'], 'd' in key]).to.deep.equal([
      { alg: 'ES256', kid: key['kid'] },
      'EC',
      false,
    ])
    const answer = await harness.request('/api/v1/pods', { token })
    expect(errorOf(answer)).to.contain('User "system:serviceaccount:default:builder"')
  })

  it('issues addresses from the range of the flag', async () => {
    await harness.start()
    await waitUntil(
      async () => (await namesIn('/apis/networking.k8s.io/v1/servicecidrs')).length === 1,
    )
    await waitUntil(async () => (await namesIn('/api/v1/services')).length === 1)
    const spec = { ports: [{ port: 80 }] }
    const path = '/api/v1/namespaces/default/services'
    const made = await harness.create(path, { metadata: { name: 'web' }, spec })
    const own = await harness.get(`${path}/kubernetes`)
    const cidr = await harness.get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes')
    expect([own.field('spec.clusterIP'), cidr.field('spec.cidrs')]).to.deep.equal([
      '10.0.0.1',
      ['10.0.0.0/24'],
    ])
    expect(made.field('spec.clusterIP')).to.match(/^10\.0\.0\.\d+$/)
  })

  it('records the requests that the audit policy names', async () => {
    const policy = {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['secrets'] }] }],
    }
    await writeFile(harness.path('policy'), JSON.stringify(policy))
    await harness.start([
      `--audit-policy-file=${harness.path('policy')}`,
      `--audit-log-path=${harness.path('audit.log')}`,
    ])
    await harness.request('/api/v1/secrets')
    await harness.request('/api/v1/pods')
    await harness.stop()
    const lines = (await readFile(harness.path('audit.log'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { stage: string; requestURI: string })
    expect(lines.map(({ stage, requestURI }) => [stage, requestURI])).to.deep.equal([
      ['RequestReceived', '/api/v1/secrets'],
      ['ResponseComplete', '/api/v1/secrets'],
    ])
  })
})
