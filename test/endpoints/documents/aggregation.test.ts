import { expect } from 'chai'
import { useTestServer } from '../support/testServer.ts'

/** Requests of an aggregating API server to the servers behind it, in its form. */
describe('behind an aggregation layer', () => {
  const server = useTestServer()

  for (const path of ['/apis/management.platform/v1', '/api/v1']) {
    it(`the probe of availability, GET ${path}, is a 200 (reference 9.4)`, async () => {
      expect((await server().admin.get(path)).status).to.equal(200)
    })
  }

  const aggregated = ['v2', 'v2beta1']
    .map(
      (version) => `application/json;v=${version};g=apidiscovery.k8s.io;as=APIGroupDiscoveryList`,
    )
    .join(',')
  const reads = [
    ['/apis', aggregated],
    ['/openapi/v2', 'application/json'],
    ['/openapi/v3/apis/management.platform/v1', 'application/json'],
  ] as const
  for (const [path, accept] of reads) {
    it(`${path} in JSON, and 304 for a known ETag (reference 9.5)`, async () => {
      const { admin } = server()
      const first = await admin.get(path, { accept })
      expect([first.status, first.headers['content-type']?.split(';')[0]]).to.deep.equal([
        200,
        'application/json',
      ])
      const { etag = '' } = first.headers
      const again = await admin.get(path, { accept, 'if-none-match': etag })
      expect([again.status, again.text]).to.deep.equal([304, ''])
    })
  }

  it('the index of OpenAPI v3, and the health of the server (reference 9.5)', async () => {
    const { admin } = server()
    const paths = ['/openapi/v3', '/healthz', '/readyz']
    const answers = await Promise.all(paths.map((path) => admin.get(path)))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
  })

  it('the audit id of the aggregating server is kept (reference 9.2)', async () => {
    const answer = await server().admin.get('/apis', { 'audit-id': 'from-the-front' })
    expect(answer.headers['audit-id']).to.equal('from-the-front')
  })
})
