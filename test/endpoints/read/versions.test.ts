import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

const path = '/namespaces/default/horizontalpodautoscalers'
const older = `/apis/autoscaling/v1${path}`
const newer = `/apis/autoscaling/v2${path}`

describe('managed fields of a kind with several versions', () => {
  const server = useTestServer()

  it('each manager keeps its fields in the version in which it wrote (reference 3.11)', async () => {
    const { admin } = server()
    await admin.post(`${older}?fieldManager=one`, {
      metadata: { name: 'a' },
      spec: {
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
      },
    })
    const patch = { spec: { minReplicas: 2, maxReplicas: 4 } }
    const answer = await admin.patch(`${newer}/a?fieldManager=two`, 'merge-patch+json', patch)
    // Entries of managedFields have the form of the API.
    const entries = answer.field('metadata', 'managedFields') as {
      manager: string
      apiVersion: string
      fieldsV1: { 'f:spec': object }
    }[]
    expect(
      entries.map(({ manager, apiVersion, fieldsV1 }) => [
        manager,
        apiVersion,
        Object.keys(fieldsV1['f:spec']),
      ]),
    ).to.deep.equal([
      ['one', 'autoscaling/v1', ['f:scaleTargetRef', 'f:targetCPUUtilizationPercentage']],
      ['two', 'autoscaling/v2', ['f:maxReplicas', 'f:minReplicas']],
    ])
  })

  it('an apply without a kind reports an empty kind (reference 3.13)', async () => {
    const answer = await server().admin.call(`${newer}/b?fieldManager=one`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: 'spec: {}',
    })
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'invalid object type: /, Kind=',
    ])
  })

  it('an update reports invalid labels twice, as they are validated twice (reference 3.10)', async () => {
    const { admin } = server()
    const users = '/apis/management.platform/v1/users'
    const body = { metadata: { labels: { 'bad key': 'x' } } }
    const answer = await admin.patch(`${users}/admin`, 'merge-patch+json', body)
    const causes = answer.field('details', 'causes') as { field: string }[]
    expect(causes.map(({ field }) => field)).to.deep.equal(['metadata.labels', 'metadata.labels'])
  })
})
