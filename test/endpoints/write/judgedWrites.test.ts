import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

const strategic = 'strategic-merge-patch+json'

/** Source: seen on kube-apiserver 1.37.2; cases that the recorded vectors lack. */
describe('writes with special validation on the real kube-apiserver', () => {
  const server = useTestServer()
  const core = '/api/v1/namespaces/default'

  it('creates a service by a write of its status, without addresses', async () => {
    const service = { metadata: { name: 'of-status' }, spec: { ports: [{ port: 80 }] } }
    const answer = await server().admin.put(`${core}/services/of-status/status`, service)
    expect([answer.status, answer.field('spec', 'clusterIP')]).to.deep.equal([201, undefined])
  })

  it('creates a RuntimeClass by an update', async () => {
    const path = '/apis/node.k8s.io/v1/runtimeclasses/new'
    const answer = await server().admin.put(path, { metadata: { name: 'new' }, handler: 'h' })
    expect(answer.status).to.equal(201)
  })

  it('gives the conditions of a failure policy their status in a CronJob', async () => {
    const template = {
      metadata: {},
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
    }
    const podFailurePolicy = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'x' }] }] }
    const spec = {
      schedule: '* * * * *',
      jobTemplate: { spec: { template, podFailurePolicy } },
    }
    const path = '/apis/batch/v1/namespaces/default/cronjobs'
    const answer = await server().admin.post(path, { metadata: { name: 'c' }, spec })
    expect([answer.status, answer.text]).to.deep.equal([201, answer.text])
    expect(answer.text).to.contain('"onPodConditions":[{"type":"x","status":"True"}]')
  })

  it('keeps the low bits of an integer that is too large in a strategic merge patch', async () => {
    const path = `${core}/resourcequotas`
    await server().admin.post(path, { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } })
    const patch = { metadata: { deletionGracePeriodSeconds: 1e19 } }
    const answer = await server().admin.patch(`${path}/q`, strategic, patch)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      422,
      'ResourceQuota "q" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: -9223372036854775808: field is immutable',
    ])
  })

  it('validates the prefix of a DeviceClass as a path segment only', async () => {
    const path = '/apis/resource.k8s.io/v1/deviceclasses?dryRun=All'
    const create = (generateName: string) =>
      server().admin.post(path, { metadata: { name: 'd', generateName }, spec: {} })
    expect((await create('A B')).status).to.equal(201)
    expect((await create('a/b')).field('message')).to.equal(
      'DeviceClass.resource.k8s.io "d" is invalid: metadata.generateName: Invalid value: "a/b": may not contain \'/\'',
    )
  })

  it('reports an unreadable time before a wrong type', async () => {
    const event = { metadata: { name: 'e' }, message: 5, eventTime: '2020-01-01' }
    const answer = await server().admin.post(`${core}/events`, event)
    expect([answer.status, answer.field('message')]).to.deep.equal([
      400,
      'Event in version "v1" cannot be handled as a Event: parsing time "2020-01-01" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "" as "T"',
    ])
  })
})
