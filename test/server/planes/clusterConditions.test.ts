import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { management, useTestServer } from '../../endpoints/support/testServer.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { clusters, instances, makePlanes } from './planeServer.ts'

const spaces = `${management}/namespaces/p-shop/spaceinstances`
const spaceApi = (name: string) => `/kubernetes/project/shop/space/${name}/api/v1`
const notFound = {
  reason: 'ClusterNotFound',
  message: 'the cluster that spec.clusterRef names does not exist',
}
const notNamed = { reason: 'ClusterNotNamed', message: 'spec.clusterRef names no cluster' }

describe('the phase of an instance', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(async () => {
    admin = server().admin
    await makePlanes(admin, {})
  })

  const statusOf = async (path: string) => {
    const shown = (await admin.get(path)).field('status') as Record<string, unknown>
    const [condition] = (shown.conditions ?? []) as Record<string, unknown>[]
    const { lastTransitionTime: _, ...known } = condition ?? {}
    const { phase, reason, message } = shown
    return { phase, reason, message, ...(condition && { condition: known }) }
  }
  const condition = (problem: typeof notFound) => ({
    ...{ type: 'ClusterAvailable', status: 'False', severity: 'Error' },
    ...problem,
  })
  const available = { type: 'ClusterAvailable', status: 'True', reason: 'Available' }
  const ready = { phase: 'Ready', reason: undefined, message: undefined }

  for (const [kind, path] of [
    ['SpaceInstance', spaces],
    ['VirtualClusterInstance', instances],
  ] as const) {
    it(`is Failed while the cluster of a ${kind} does not exist, and follows its creation and deletion`, async () => {
      const name = `in-${kind.toLowerCase()}`
      const spec = { clusterRef: { cluster: `late-${kind.toLowerCase()}` } }
      const made = await admin.post(path, { metadata: { name }, spec })
      expect([made.status, made.field('status', 'phase')]).to.deep.equal([201, 'Failed'])
      const isShown = async (phase: string, status: string) => {
        const shown = await statusOf(`${path}/${name}`)
        return shown.phase === phase && shown.condition?.status === status
      }
      for (let round = 0; round < 2; round++) {
        await waitUntil(() => isShown('Failed', 'False'))
        const failed = { phase: 'Failed', ...notFound, condition: condition(notFound) }
        expect(await statusOf(`${path}/${name}`)).to.deep.equal(failed)
        await admin.post(clusters, { metadata: { name: spec.clusterRef.cluster } })
        await waitUntil(() => isShown('Ready', 'True'))
        const fine = { ...ready, condition: available }
        expect(await statusOf(`${path}/${name}`)).to.deep.equal(fine)
        await admin.delete(`${clusters}/${spec.clusterRef.cluster}`)
      }
    })

    it(`a ${kind} is refused outside the namespace of a project`, async () => {
      const within = path.replace('p-shop', 'default')
      const answer = await admin.post(within, { metadata: { name: 'lost' }, spec: {} })
      expect([answer.status, answer.field('reason')]).to.deep.equal([403, 'Forbidden'])
      expect(String(answer.field('message'))).to.match(
        /is forbidden: namespace "default" is the namespace of no project$/,
      )
    })
  }

  it('is Failed for a space without a cluster, whose API is 503', async () => {
    const made = await admin.post(spaces, { metadata: { name: 'nowhere' }, spec: {} })
    expect(made.status).to.equal(201)
    const condition503 = async () =>
      (await statusOf(`${spaces}/nowhere`)).condition?.status === 'False'
    await waitUntil(condition503)
    const failed = { phase: 'Failed', ...notNamed, condition: condition(notNamed) }
    expect(await statusOf(`${spaces}/nowhere`)).to.deep.equal(failed)
    expect((await admin.get(spaceApi('nowhere'))).status).to.equal(503)
    await admin.post(clusters, { metadata: { name: 'there' } })
    const spec = { clusterRef: { cluster: 'there' } }
    const named = await admin.patch(`${spaces}/nowhere`, 'merge-patch+json', { spec })
    expect(named.field('status', 'phase')).to.equal('Ready')
    expect((await admin.get(spaceApi('nowhere'))).status).to.equal(200)
  })
})
