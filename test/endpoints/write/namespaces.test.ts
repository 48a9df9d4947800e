import { expect } from 'chai'
import { namespaces, useTestServer } from '../support/testServer.ts'

describe('the namespace path', () => {
  const server = useTestServer()

  it('PUT, PATCH and DELETE of a namespace affect the namespace itself (reference 1.4)', async () => {
    const { admin } = server()
    const made = await admin.post(namespaces, { metadata: { name: 'one' } })
    expect(made.status).to.equal(201)
    const put = await admin.put(`${namespaces}/one`, {
      metadata: { name: 'one', labels: { a: 'b' } },
    })
    expect([put.status, put.field('metadata', 'labels', 'a')]).to.deep.equal([200, 'b'])
    const patch = await admin.patch(`${namespaces}/one`, 'merge-patch+json', {
      metadata: { labels: { a: 'c' } },
    })
    expect([patch.status, patch.field('metadata', 'labels', 'a')]).to.deep.equal([200, 'c'])
    const status = await admin.patch(`${namespaces}/one/status`, 'merge-patch+json', {
      status: { conditions: [{ type: 'Odd', status: 'True' }] },
    })
    expect([status.status, status.field('status', 'conditions', 0, 'type')]).to.deep.equal([
      200,
      'Odd',
    ])
    const gone = await admin.delete(`${namespaces}/one`)
    expect([gone.status, gone.field('status', 'phase')]).to.deep.equal([200, 'Terminating'])
  })

  it('a namespace of a cluster-scoped kind is dropped (reference 1.16, spec meta.namespace)', async () => {
    const made = await server().admin.post(namespaces, {
      metadata: { name: 'two', namespace: 'elsewhere' },
    })
    expect([made.status, made.field('metadata', 'namespace')]).to.deep.equal([201, undefined])
  })
})
