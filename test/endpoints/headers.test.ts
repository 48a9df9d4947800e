import { expect } from 'chai'
import { users, useTestServer } from './support/testServer.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('headers of every response', () => {
  const server = useTestServer()
  const cases = [
    ['GET', `${users}/admin`, 200],
    ['GET', users, 200],
    ['GET', `${users}?watch=1&timeoutSeconds=1`, 200],
    ['GET', `${users}/none`, 404],
    ['GET', '/nothing', 404],
    ['POST', users, 400],
    ['PUT', users, 405],
    ['HEAD', users, 405],
    ['GET', `${users}?timeout=x`, 400],
    ['GET', '/api', 200],
    ['GET', '/version', 200],
    ['GET', '/healthz', 200],
    ['GET', '/metrics', 200],
  ] as const
  for (const [method, path, code] of cases) {
    it(`${method} ${path}: Audit-Id and Cache-Control (reference 1.3)`, async () => {
      const { admin } = server()
      const answer = await admin.call(path, { method })
      expect([answer.status, answer.headers['cache-control']]).to.deep.equal([
        code,
        'no-cache, private',
      ])
      expect(answer.headers['audit-id']).to.match(uuid)
      const echoed = await admin.call(path, { method, headers: { 'Audit-ID': 'of the client' } })
      expect(echoed.all('audit-id')).to.deep.equal(['of the client'])
      expect(answer.headers).to.not.have.any.keys('x-powered-by', 'etag', 'server')
    })
  }

  it('an empty Audit-Id is replaced; 401 has one too (reference 1.3)', async () => {
    const answer = await server().admin.get(users, { 'audit-id': '', authorization: '' })
    expect([answer.status, uuid.test(answer.headers['audit-id']?.toString() ?? '')]).to.deep.equal([
      401,
      true,
    ])
  })
})
