import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

const namespace = '/api/v1/namespaces/limited'
const pods = `${namespace}/pods?dryRun=All`

const ofContainers = {
  type: 'Container',
  default: { cpu: '2', memory: '1Gi' },
  defaultRequest: { cpu: '500m', memory: '512Mi' },
  max: { cpu: '4' },
  min: { cpu: '100m' },
  maxLimitRequestRatio: { cpu: '5' },
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('limit ranges', () => {
  const server = useTestServer()
  let admin: HttpClient
  before(async () => {
    ;({ admin } = server())
    await admin.post('/api/v1/namespaces', { metadata: { name: 'limited' } })
    const limits = [
      ofContainers,
      { type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '3Gi' } },
    ]
    await admin.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } })
  })

  const pod = (resources: object) => ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources }] },
  })

  it('default missing container limits and record it in an annotation', async () => {
    const answer = await admin.post(pods, pod({ limits: { cpu: '1' } }))
    expect(answer.field('spec', 'containers', 0, 'resources')).to.deep.equal({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '1', memory: '512Mi' },
    })
    expect(answer.field('metadata', 'annotations', 'kubernetes.io/limit-ranger')).to.equal(
      'LimitRanger plugin set: memory request for container c; memory limit for container c',
    )
  })

  const bounds: { name: string; resources: object; why: string }[] = [
    {
      name: 'more than the maximum',
      resources: { limits: { cpu: '8' }, requests: { cpu: '6' } },
      why: 'maximum cpu usage per Container is 4, but limit is 8',
    },
    {
      name: 'less than the minimum',
      resources: { limits: { cpu: '50m' }, requests: { cpu: '50m' } },
      why: 'minimum cpu usage per Container is 100m, but request is 50m',
    },
    {
      name: 'a limit far from the request',
      resources: { limits: { cpu: '4' }, requests: { cpu: '400m' } },
      why: 'cpu max limit to request ratio per Container is 5, but provided ratio is 10.000000',
    },
  ]
  for (const { name, resources, why } of bounds) {
    it(`refuse ${name}`, async () => {
      const answer = await admin.post(pods, pod(resources))
      expect([answer.status, answer.field('message')]).to.deep.equal([
        403,
        `pods "p" is forbidden: ${why}`,
      ])
    })
  }

  it('limit the storage of claims', async () => {
    const claim = (storage: string) =>
      admin.post(`${namespace}/persistentvolumeclaims?dryRun=All`, {
        metadata: { name: 'a' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      })
    const messages = []
    for (const storage of ['1Gi', '5Gi']) messages.push((await claim(storage)).field('message'))
    const subject = 'persistentvolumeclaims "a" is forbidden:'
    expect(messages).to.deep.equal([
      `${subject} minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi`,
      `${subject} maximum storage usage per PersistentVolumeClaim is 3Gi, but request is 5Gi`,
    ])
    expect((await claim('2Gi')).status).to.equal(201)
  })
})
