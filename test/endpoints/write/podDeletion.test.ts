import { expect } from 'chai'
import { waitUntil } from '../../support/waitUntil.ts'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const pods = '/api/v1/namespaces/default/pods'
const containers = [{ name: 'c', image: 'i' }]

describe('the deletion of a pod', () => {
  const server = useTestServer()

  before(async () => {
    await server().admin.post('/api/v1/nodes', { metadata: { name: 'n1' } })
  })

  async function made(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    const body = { metadata: { name, ...metadata }, spec: { containers, ...spec } }
    const answer = await server().admin.post(pods, body)
    expect(answer.status, answer.text).to.equal(201)
  }

  const path = (name: string) => `${pods}/${name}`
  const deleted = (name: string, options?: object, query = '') =>
    server().admin.delete(`${path(name)}${query}`, options)

  /** State of a pod's deletion: its grace period and generation, or 404. */
  async function state(name: string): Promise<unknown> {
    return shownIn(await server().admin.get(path(name)))
  }

  /** Type and grace period of each change of a pod so far. */
  async function changes(name: string): Promise<unknown[]> {
    const query = `watch=1&resourceVersion=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`
    const { text } = await server().admin.get(`${pods}?${query}`)
    return text
      .trim()
      .split('\n')
      .map((line) => {
        // The stream consists of watch events about pods.
        const { type, object } = JSON.parse(line) as { type: string; object: Shown }
        return [type, object.metadata.deletionGracePeriodSeconds]
      })
  }

  it('on a node waits for the kubelet, whose delete without grace ends it', async () => {
    await made('on-node', { nodeName: 'n1' })
    const first = await deleted('on-node')
    expect(shownIn(first)).to.deep.equal([200, 30, 2])
    const time = Date.parse(String(first.field('metadata', 'deletionTimestamp')))
    expect(time - Date.now()).to.be.within(25_000, 31_000)
    expect(await state('on-node')).to.deep.equal([200, 30, 2])
    const last = await deleted('on-node', { gracePeriodSeconds: 0 })
    expect(shownIn(last)).to.deep.equal([200, 0, 2])
    expect(await state('on-node')).to.equal(404)
    expect(await changes('on-node')).to.deep.equal([
      ['ADDED', undefined],
      ['MODIFIED', 30],
      ['MODIFIED', 0],
      ['DELETED', 0],
    ])
  })

  for (const { name, spec } of [
    { name: 'unscheduled', spec: {} },
    { name: 'on-absent-node', spec: { nodeName: 'absent' } },
    { name: 'without-grace', spec: { nodeName: 'n1', terminationGracePeriodSeconds: 0 } },
  ]) {
    it(`${name}: sets a grace of 0, then removes it`, async () => {
      await made(name, spec)
      expect(shownIn(await deleted(name))).to.deep.equal([200, 0, 2])
      expect(await state(name)).to.equal(404)
      expect(await changes(name)).to.deep.equal([
        ['ADDED', undefined],
        ['MODIFIED', 0],
        ['DELETED', 0],
      ])
    })
  }

  for (const phase of ['Succeeded', 'Failed']) {
    it(`in phase ${phase} does not wait`, async () => {
      const name = `ended-${phase.toLowerCase()}`
      await made(name, { nodeName: 'n1' })
      const status = { status: { phase } }
      await server().admin.patch(`${path(name)}/status`, 'merge-patch+json', status)
      expect(shownIn(await deleted(name))).to.deep.equal([200, 0, 2])
      expect(await state(name)).to.equal(404)
    })
  }

  it('is shortened by a later request, and never extended', async () => {
    await made('shortened', { nodeName: 'n1' })
    await deleted('shortened', { gracePeriodSeconds: 60 })
    expect(await state('shortened')).to.deep.equal([200, 60, 2])
    expect(shownIn(await deleted('shortened'))).to.deep.equal([200, 60, 2])
    expect(shownIn(await deleted('shortened', { gracePeriodSeconds: 90 }))).to.deep.equal([
      200, 60, 2,
    ])
    expect(shownIn(await deleted('shortened', { gracePeriodSeconds: 20 }))).to.deep.equal([
      200, 20, 2,
    ])
    expect(shownIn(await deleted('shortened', undefined, '?gracePeriodSeconds=5'))).to.deep.equal([
      200, 5, 2,
    ])
  })

  it('of another UID is refused, with any grace and repeatedly', async () => {
    await made('other-uid', { nodeName: 'n1' })
    const preconditions = { uid: 'other' }
    for (const grace of [undefined, 0]) {
      const options = { preconditions, ...(grace === undefined ? {} : { gracePeriodSeconds: 0 }) }
      expect((await deleted('other-uid', options)).status).to.equal(409)
      await deleted('other-uid')
      expect(await state('other-uid')).to.deep.equal([200, 30, 2])
    }
  })

  it('in a dry run changes nothing, and returns the would-be result', async () => {
    await made('dry', { nodeName: 'n1' })
    await made('dry-unscheduled')
    expect(shownIn(await deleted('dry', undefined, '?dryRun=All'))).to.deep.equal([200, 30, 2])
    const gone = await deleted('dry-unscheduled', undefined, '?dryRun=All')
    expect(shownIn(gone)).to.deep.equal([200, 0, 2])
    expect(await state('dry')).to.deep.equal([200, undefined, 1])
    expect(await state('dry-unscheduled')).to.deep.equal([200, undefined, 1])
  })

  it('with finalizers waits for them after its grace, and a pod without a node only for them', async () => {
    const finalizers = ['example.com/f']
    await made('held-on-node', { nodeName: 'n1' }, { finalizers })
    await made('held', {}, { finalizers })
    expect(shownIn(await deleted('held-on-node'))).to.deep.equal([200, 30, 2])
    expect(shownIn(await deleted('held'))).to.deep.equal([200, 0, 2])
    const release = { metadata: { finalizers: null } }
    for (const name of ['held-on-node', 'held'])
      await server().admin.patch(path(name), 'merge-patch+json', release)
    expect(await state('held-on-node')).to.deep.equal([200, 30, 2])
    expect(await state('held')).to.equal(404)
    await deleted('held-on-node', { gracePeriodSeconds: 0 })
    expect(await state('held-on-node')).to.equal(404)
  })

  it('continues without grace once its node is deleted', async () => {
    const { admin } = server()
    await admin.post('/api/v1/nodes', { metadata: { name: 'leaving' } })
    await made('left', { nodeName: 'leaving' })
    await deleted('left')
    expect(await state('left')).to.deep.equal([200, 30, 2])
    await admin.delete('/api/v1/nodes/leaving')
    expect((await deleted('left')).status).to.equal(200)
    expect(await state('left')).to.equal(404)
  })

  it('by an eviction and of a collection has the same grace', async () => {
    const { admin } = server()
    await made('evicted', { nodeName: 'n1' }, { labels: { in: 'eviction' } })
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } }
    expect((await admin.post(`${path('evicted')}/eviction`, eviction)).status).to.equal(201)
    expect(await state('evicted')).to.deep.equal([200, 30, 2])
    await made('one', { nodeName: 'n1' }, { labels: { in: 'collection' } })
    await made('two', {}, { labels: { in: 'collection' } })
    expect((await admin.delete(`${pods}?labelSelector=in%3Dcollection`)).status).to.equal(200)
    expect([await state('one'), await state('two')]).to.deep.equal([[200, 30, 2], 404])
  })

  it('with its namespace keeps the namespace until the kubelet has ended it', async () => {
    const { admin } = server()
    await admin.post('/api/v1/namespaces', { metadata: { name: 'ns' } })
    const inNamespace = '/api/v1/namespaces/ns/pods/p'
    const pod = { metadata: { name: 'p' }, spec: { containers, nodeName: 'n1' } }
    await admin.post('/api/v1/namespaces/ns/pods', pod)
    await admin.delete('/api/v1/namespaces/ns')
    await waitUntil(async () => {
      const answer = await admin.get(inNamespace)
      return answer.field('metadata', 'deletionGracePeriodSeconds') === 30
    })
    expect((await admin.get('/api/v1/namespaces/ns')).field('status', 'phase')).to.equal(
      'Terminating',
    )
    await admin.delete(inNamespace, { gracePeriodSeconds: 0 })
    await waitUntil(async () => (await admin.get('/api/v1/namespaces/ns')).status === 404)
  })

  it('of an owner in the foreground keeps the owner until the kubelet has ended it', async () => {
    const { admin } = server()
    const maps = '/api/v1/namespaces/default/configmaps'
    const owner = await admin.post(maps, { metadata: { name: 'owner' } })
    const reference = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', blockOwnerDeletion: true },
      uid: owner.field('metadata', 'uid'),
    }
    await made('owned', { nodeName: 'n1' }, { ownerReferences: [reference] })
    await admin.delete(`${maps}/owner`, { propagationPolicy: 'Foreground' })
    await waitUntil(async () => {
      const found = await admin.get(path('owned'))
      return found.field('metadata', 'deletionGracePeriodSeconds') === 30
    })
    expect((await admin.get(`${maps}/owner`)).status).to.equal(200)
    await deleted('owned', { gracePeriodSeconds: 0 })
    await waitUntil(async () => (await admin.get(`${maps}/owner`)).status === 404)
  })

  it('by two concurrent callers without grace is done by one of them', async () => {
    await made('raced', { nodeName: 'n1' })
    const options = { gracePeriodSeconds: 0 }
    const answers = await Promise.all(Array.from({ length: 8 }, () => deleted('raced', options)))
    expect(answers.map(({ status }) => status).sort()[0]).to.equal(200)
    expect(await state('raced')).to.equal(404)
    expect((await changes('raced')).at(-1)).to.deep.equal(['DELETED', 0])
  })
})

interface Shown {
  metadata: { deletionGracePeriodSeconds?: number; generation?: number }
}

function shownIn(answer: Answer): unknown {
  if (answer.status === 404) return 404
  // The response to a request for a pod is a pod.
  const { metadata } = answer.json as Shown
  return [answer.status, metadata.deletionGracePeriodSeconds, metadata.generation]
}
