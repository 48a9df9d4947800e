import { expect } from 'chai'
import { definitionsPath as definitions, widgetDefinition } from '../../support/definitions.ts'
import { useTestServer } from '../support/testServer.ts'

const refused = 'the server does not allow this method on the requested resource'

describe('methods and forms of documents', () => {
  const server = useTestServer()

  before(async () => {
    const { admin } = server()
    const answer = await admin.post(definitions, widgetDefinition({}))
    expect(answer.status, answer.text).to.equal(201)
  })

  const anyMethod = [
    ...['/', '/index.html', '/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1'],
    ...['/apis', '/apis/', '/apis/apps', '/apis/apps/', '/apis/example.com'],
    ...['/apis/example.com/v1', '/apis/example.com/v1/'],
    ...['/healthz', '/livez', '/readyz', '/healthz/ping', '/metrics'],
  ]
  const getAlone = [
    ...['/version', '/version/', '/api', '/api/', '/api/v1', '/api/v1/'],
    ...['/apis/apps/v1', '/apis/apps/v1/'],
    ...['/.well-known/openid-configuration', '/openid/v1/jwks'],
  ]
  const others = ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

  for (const path of anyMethod) {
    it(`${path}: any method (reference 1.5)`, async () => {
      const { admin } = server()
      const statuses = others.map(async (method) => (await admin.call(path, { method })).status)
      expect(await Promise.all(statuses)).to.deep.equal(others.map(() => 200))
    })
  }

  for (const path of getAlone) {
    it(`${path}: GET only, others are 405 (reference 1.5)`, async () => {
      const { admin } = server()
      expect((await admin.get(path)).status).to.equal(200)
      for (const method of others) {
        const answer = await admin.call(path, { method })
        const message = method === 'HEAD' ? '' : answer.field('message')
        const want = method === 'HEAD' ? '' : refused
        expect([method, answer.status, message]).to.deep.equal([method, 405, want])
      }
    })
  }

  const withSlash = [
    ...['/openapi/v2/', '/openapi/v3/', '/openapi/v3/api/v1/', '/healthz/', '/readyz/'],
    ...['/livez/ping/', '/apis//'],
  ]
  for (const path of withSlash) {
    it(`${path} is another path: 404 (reference 1.5)`, async () => {
      expect((await server().admin.get(path)).status).to.equal(404)
    })
  }

  const accepts: [path: string, accept: string | string[], want: string][] = [
    ['/version', 'application/yaml', '406 application/yaml'],
    ['/version', 'application/*', '406 application/json'],
    ['/version', 'text/html, application/json;q=0.1', '200 application/json'],
    ['/.well-known/openid-configuration', 'text/html', '406 application/json'],
    ['/openid/v1/jwks', 'text/html,*/*', '200 application/jwk-set+json'],
    ['/openid/v1/jwks', 'application/yaml', '406 application/yaml'],
    ['/api/v1', ['text/html', 'application/json'], '406 application/json'],
    ['/api/v1', ['application/yaml', 'application/json'], '200 application/yaml'],
    ['/apis', ['*/*', 'application/yaml'], '200 application/json'],
    ['/openapi/v2', ['text/html', '*/*'], '406 undefined'],
    ['/api/v1/namespaces', ['', 'text/html'], '200 application/json'],
    ['/api/v1/namespaces', ['text/html', 'application/json'], '406 application/json'],
    ['/api/v1/namespaces', ['*/*', 'application/yaml'], '200 application/json'],
  ]
  for (const [path, accept, want] of accepts) {
    const lines = [accept].flat().map((line) => `"${line}"`)
    it(`${path} with Accept ${lines.join(' and ')}: ${want} (reference 1.9)`, async () => {
      const answer = await server().admin.call(path, { headers: { accept } })
      expect(`${answer.status} ${answer.headers['content-type']}`).to.equal(want)
    })
  }

  it('an unavailable form of the version: 406 with the available one (reference 1.9)', async () => {
    const answer = await server().admin.get('/version', { accept: 'text/html' })
    expect(answer.field('message')).to.equal(
      '406: Not Acceptable\n\nAvailable representations: application/json',
    )
  })
})
