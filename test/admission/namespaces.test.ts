import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

const namespace = '/api/v1/namespaces/going'
const terminating =
  'is forbidden: unable to create new content in namespace going because it is being terminated'
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }
const review = {
  user: 'x',
  resourceAttributes: { namespace: 'going', verb: 'get', resource: 'pods' },
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('a terminating namespace', () => {
  const server = useTestServer()
  let admin: HttpClient
  before(async () => {
    ;({ admin } = server())
    await admin.post('/api/v1/namespaces', { metadata: { name: 'going' } })
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    await admin.post(`${namespace}/pods`, { metadata: { name: 'p', finalizers: ['x.y/z'] }, spec })
    await admin.call(namespace, { method: 'DELETE' })
  })

  const refused: { name: string; path: string; body: object; subject: string }[] = [
    {
      name: 'objects',
      path: 'configmaps',
      body: { metadata: { name: 'a' } },
      subject: 'configmaps "a"',
    },
    {
      name: 'tokens',
      path: 'serviceaccounts/x/token',
      body: { spec: {} },
      subject: 'serviceaccounts "x"',
    },
    { name: 'evictions', path: 'pods/p/eviction', body: eviction, subject: 'pods "p"' },
  ]
  for (const { name, path, body, subject } of refused) {
    it(`refuses a new ${name} with 403`, async () => {
      const answer = await admin.post(`${namespace}/${path}`, body)
      expect([answer.status, answer.field('message')]).to.deep.equal([
        403,
        `${subject} ${terminating}`,
      ])
    })
  }

  it('still answers reviews of rights', async () => {
    const path = '/apis/authorization.k8s.io/v1/namespaces/going/localsubjectaccessreviews'
    const answer = await admin.post(path, { metadata: { namespace: 'going' }, spec: review })
    expect(answer.status).to.equal(201)
  })

  it('allows updates of existing objects', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { metadata: { labels: { a: 'b' } } }
    const answer = await admin.call(`${namespace}/pods/p`, { method: 'PATCH', body, headers })
    expect(answer.status).to.equal(200)
  })
})
