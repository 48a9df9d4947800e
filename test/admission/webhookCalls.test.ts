import { expect } from 'chai'
import {
  configMaps,
  useHookedServer,
  validating,
  type HookedServer,
} from '../support/servers/hookedServer.ts'

const merge = { 'content-type': 'application/merge-patch+json' }

/** Source: seen on kube-apiserver 1.37.2. */
describe('calls of webhooks', () => {
  const server = useHookedServer()
  let admin: HookedServer['admin']
  let hooks: HookedServer['hooks']
  before(() => {
    ;({ admin, hooks } = server())
  })
  const register = (path: string, name: string, ...webhooks: object[]) =>
    server().register(path, name, ...webhooks)
  const configMap = () => server().configMap()

  it("reaches a webhook by the external name of its service, and verifies its certificate by the service's own name", async () => {
    await admin.post('/api/v1/namespaces/hooked/services', {
      metadata: { name: 'hook' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    })
    hooks.on('/s', () => ({ allowed: false, status: { message: 'by service' } }))
    const service = { namespace: 'hooked', name: 'hook', path: '/s', port: hooks.port }
    const clientConfig = { service, caBundle: hooks.caBundle }
    await register(validating, 'v', hooks.webhook('/s', { clientConfig }))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.field('message')).to.equal(
      'admission webhook "s.example.dev" denied the request: by service',
    )
  })

  it('trusts a self-signed certificate that is in the bundle', async () => {
    hooks.on('/v', () => ({ allowed: false, status: { message: 'by leaf' } }))
    const clientConfig = { url: hooks.url('/v'), caBundle: hooks.leafBundle }
    await register(validating, 'v', hooks.webhook('/v', { clientConfig }))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.field('message')).to.equal(
      'admission webhook "v.example.dev" denied the request: by leaf',
    )
  })

  it('aborts an endless response at the timeout', async () => {
    hooks.on('/v', (_request, { response }) => {
      response.write('{"kind":')
      return undefined
    })
    await register(validating, 'v', hooks.webhook('/v', { timeoutSeconds: 1 }))
    const answer = await admin.post(configMaps, configMap())
    expect([answer.status, answer.field('message')]).to.deep.equal([
      500,
      `Internal error occurred: failed calling webhook "v.example.dev": failed to call webhook: Post "${hooks.url('/v?timeout=1s')}": context deadline exceeded`,
    ])
  })

  it('rejects a response over 8 MiB', async () => {
    hooks.on('/v', (_request, { response }) => {
      response.end(Buffer.alloc(9 * 1024 * 1024, ' '))
      return undefined
    })
    await register(validating, 'v', hooks.webhook('/v'))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.field('message')).to.equal(
      'Internal error occurred: failed calling webhook "v.example.dev": failed to call webhook: the response of the webhook is too large',
    )
  })

  it('follows redirects that keep the method', async () => {
    hooks.on('/v', (_request, { response }) => {
      response.statusCode = 307
      response.setHeader('location', '/elsewhere')
      response.end()
      return undefined
    })
    hooks.on('/elsewhere', () => ({ allowed: false, status: { message: 'found' } }))
    await register(validating, 'v', hooks.webhook('/v'))
    const answer = await admin.post(configMaps, configMap())
    expect(answer.field('message')).to.equal(
      'admission webhook "v.example.dev" denied the request: found',
    )
  })

  it('reuses one connection for consecutive calls', async () => {
    await register(validating, 'v', hooks.webhook('/v'))
    const before = hooks.connections
    for (let at = 0; at < 5; at++) await admin.post(configMaps, configMap())
    expect(hooks.reviews.length).to.equal(5)
    expect(hooks.connections - before).to.be.at.most(1)
  })

  it('never calls webhooks for webhook configurations: a broken webhook can be deleted', async () => {
    const everything = {
      rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
      clientConfig: { url: 'https://127.0.0.1:1/' },
      namespaceSelector: {},
    }
    await register(validating, 'broken', hooks.webhook('/v', everything))
    expect((await admin.post(configMaps, configMap())).status).to.equal(500)
    expect((await admin.call(`${validating}/broken`, { method: 'DELETE' })).status).to.equal(200)
    expect((await admin.post(configMaps, configMap())).status).to.equal(201)
  })

  it('converts objects for a rule about another version of their kind', async () => {
    const scalers = '/apis/autoscaling/v1/namespaces/hooked/horizontalpodautoscalers'
    const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
    await admin.post(scalers, { metadata: { name: 'h' }, spec: { maxReplicas: 3, scaleTargetRef } })
    const rules = [
      { operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v2'], resources: ['*'] },
    ]
    await register(validating, 'v', hooks.webhook('/v', { rules, namespaceSelector: {} }))
    await admin.call(`${scalers}/h`, {
      method: 'PATCH',
      body: { spec: { maxReplicas: 4 } },
      headers: merge,
    })
    const { kind, requestKind, object } = server().firstReview()
    const versions = [kind, requestKind, object].map((one) => one as Record<string, unknown>)
    expect(versions.map((one) => one['version'] ?? one['apiVersion'])).to.deep.equal([
      'v2',
      'v1',
      'autoscaling/v2',
    ])
  })

  it('sends scales as their own kind', async () => {
    const deployments = '/apis/apps/v1/namespaces/hooked/deployments'
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    const spec = { selector: { matchLabels: { a: 'b' } }, template }
    await admin.post(deployments, { metadata: { name: 'd' }, spec })
    const rules = [
      {
        operations: ['*'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        resources: ['deployments/scale'],
      },
    ]
    await register(validating, 'v', hooks.webhook('/v', { rules }))
    await admin.call(`${deployments}/d/scale`, {
      method: 'PATCH',
      body: { spec: { replicas: 2 } },
      headers: merge,
    })
    const [{ request } = { request: undefined }] = hooks.reviews
    expect([request?.['kind'], request?.['subResource'], request?.operation]).to.deep.equal([
      { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      'scale',
      'UPDATE',
    ])
    expect(hooks.reviews.length).to.equal(1)
  })

  it('reviews both writes of the deletion of a pod that no node runs, with the grace that was decided', async () => {
    const pods = '/api/v1/namespaces/hooked/pods'
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    await admin.post(pods, { metadata: { name: 'p' }, spec })
    await register(validating, 'v', hooks.webhook('/v', { rules: deletionsOf('pods') }))
    const answer = await admin.call(`${pods}/p?gracePeriodSeconds=5`, { method: 'DELETE' })
    expect(answer.status).to.equal(200)
    const told = hooks.reviews.map(({ request }) => {
      const { metadata } = request['oldObject'] as { metadata: Record<string, unknown> }
      const { gracePeriodSeconds } = request['options'] as Record<string, unknown>
      return [gracePeriodSeconds, metadata['deletionGracePeriodSeconds'], metadata['generation']]
    })
    expect(told).to.deep.equal([
      [0, undefined, 1],
      [0, 0, 2],
    ])
  })

  it('keeps a pod whose removal is denied, and leaves it marked', async () => {
    const pods = '/api/v1/namespaces/hooked/pods'
    await admin.post(pods, {
      metadata: { name: 'kept' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    })
    hooks.on('/v', ({ oldObject }) => {
      const { metadata } = oldObject as { metadata: Record<string, unknown> }
      return { allowed: metadata['deletionTimestamp'] === undefined }
    })
    await register(validating, 'v', hooks.webhook('/v', { rules: deletionsOf('pods') }))
    expect((await admin.call(`${pods}/kept`, { method: 'DELETE' })).status).to.equal(400)
    const { status, json } = await admin.get(`${pods}/kept`)
    const { metadata } = json as { metadata: Record<string, unknown> }
    expect([status, metadata['deletionGracePeriodSeconds']]).to.deep.equal([200, 0])
  })
})

function deletionsOf(plural: string): object[] {
  return [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: [plural] }]
}
