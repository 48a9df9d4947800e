import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const namespace = '/api/v1/namespaces/quotas'
const configMaps = `${namespace}/configmaps`
const pods = `${namespace}/pods`

/** Source: seen on kube-apiserver 1.37.2 with a controller manager. */
describe('resource quota', () => {
  const server = useTestServer()
  let admin: HttpClient
  let count = 0
  before(async () => {
    ;({ admin } = server())
    await admin.post('/api/v1/namespaces', { metadata: { name: 'quotas' } })
  })
  afterEach(() => admin.call(`${namespace}/resourcequotas`, { method: 'DELETE' }))

  /** Quota whose status contains its limits. */
  async function bound(hard: Record<string, string>, rest: object = {}): Promise<void> {
    await admin.post(`${namespace}/resourcequotas`, {
      metadata: { name: 'q' },
      spec: { hard, ...rest },
    })
    await waitUntil(async () => Object.keys((await status()).hard ?? {}).length > 0)
  }

  async function status(): Promise<{ hard?: object; used?: Record<string, string> }> {
    const answer = await admin.get(`${namespace}/resourcequotas/q`)
    return answer.field('status') ?? {}
  }

  const pod = (resources: object = {}) => ({
    metadata: { name: `p${count++}` },
    spec: { containers: [{ name: 'c', image: 'i', resources }] },
  })

  it('admits exactly 100 of 200 objects created by 64 callers', async () => {
    await bound({ 'count/secrets': '100' })
    const codes: number[] = []
    const caller = async (at: number) => {
      for (let number = at; number < 200; number += 64) {
        const made = await admin.post(`${namespace}/secrets`, { metadata: { name: `s${number}` } })
        codes.push(made.status)
      }
    }
    await Promise.all(Array.from({ length: 64 }, (_, at) => caller(at)))
    expect(codes.filter((code) => code === 201).length).to.equal(100)
    expect(codes.filter((code) => code === 403).length).to.equal(100)
    expect((await status()).used).to.deep.equal({ 'count/secrets': '100' })
  })

  it('counts existing objects, and fewer after deletions', async () => {
    await bound({ pods: '5' })
    await admin.post(pods, { ...pod(), metadata: { name: 'gone' } })
    expect((await status()).used).to.deep.equal({ pods: '1' })
    await admin.call(`${pods}/gone?gracePeriodSeconds=0`, { method: 'DELETE' })
    await waitUntil(async () => (await status()).used?.['pods'] === '0')
  })

  const refused: {
    name: string
    hard: Record<string, string>
    path: string
    body: () => object
    why: string
  }[] = [
    {
      name: 'objects beyond their number',
      hard: { 'count/configmaps': '0' },
      path: configMaps,
      body: () => ({ metadata: { name: 'x' } }),
      why: 'configmaps "x" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=0',
    },
    {
      name: 'requests beyond their sum',
      hard: { 'requests.cpu': '1' },
      path: pods,
      body: () => ({ ...pod({ requests: { cpu: '1500m' } }), metadata: { name: 'x' } }),
      why: 'pods "x" is forbidden: exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=0, limited: requests.cpu=1',
    },
    {
      name: 'containers that do not say what they need',
      hard: { cpu: '2', 'limits.memory': '1Gi' },
      path: pods,
      body: () => ({ ...pod(), metadata: { name: 'x' } }),
      why: 'pods "x" is forbidden: failed quota: q: must specify cpu for: c; limits.memory for: c',
    },
    {
      name: 'balancers',
      hard: { 'services.loadbalancers': '0' },
      path: `${namespace}/services`,
      body: () => ({
        metadata: { name: 'x' },
        spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
      }),
      why: 'services "x" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    },
  ]
  for (const { name, hard, path, body, why } of refused) {
    it(`refuses ${name}`, async () => {
      await bound(hard)
      const answer = await admin.post(path, body())
      expect([answer.status, answer.field('message')]).to.deep.equal([403, why])
    })
  }

  it('counts only the objects in its scope', async () => {
    await bound({ pods: '0' }, { scopes: ['BestEffort'] })
    expect((await admin.post(pods, pod())).status).to.equal(403)
    expect((await admin.post(pods, pod({ requests: { cpu: '1' } }))).status).to.equal(201)
  })

  it('is checked but not charged by a dry run', async () => {
    await bound({ 'count/secrets': '101' })
    const before = (await status()).used
    const dry = await admin.post(`${namespace}/secrets?dryRun=All`, { metadata: { name: 'dry' } })
    expect(dry.status).to.equal(201)
    expect((await status()).used).to.deep.equal(before)
  })
})
