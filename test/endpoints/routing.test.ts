import { expect } from 'chai'
import { management, namespaces, secrets, users, useTestServer } from './support/testServer.ts'
import { badRequest, failure, methodNotAllowed, routeNotFound } from './support/status.ts'

describe('route', () => {
  const server = useTestServer()

  const unknownPaths = [
    '/api/v2',
    '/api/v2/namespaces',
    '/api/v1/widgets',
    '/api/v1/widgets/a',
    '/apis/management.platform/v2',
    '/apis/management.platform/v2/users',
    `${management}/widgets`,
    `${users}/admin/scale`,
    `${users}/admin//scale`,
    `${namespaces}/default/status/more`,
    `${namespaces}/default/namespaces`,
    `${namespaces}/default/namespaces/default`,
    `${namespaces}/default/namespaces/kube-system`,
    `${management}/namespaces/default/users`,
    `${management}/namespaces/default/users/admin`,
    `${management}/sharedsecrets/a`,
    `${management}/namespaces/default`,
    '/api//v1/namespaces',
    '/version/more',
    '/apis/management.platform/v1/constructor',
  ]
  for (const path of unknownPaths) {
    it(`GET ${path} is a 404 Status (reference 1.5)`, async () => {
      const answer = await server().admin.get(path)
      expect([answer.status, answer.json]).to.deep.equal([404, routeNotFound])
      expect(answer.headers['content-type']).to.equal('application/json')
    })
  }

  const pathsOutside = [
    '/nothing',
    '/apis/nothing.dev',
    '/apis/nothing.dev/v1',
    '/apis/nothing.dev/v1/widgets',
    '/kubernetes/management2/api',
    '/kubernetes/managementapi',
    '/openapi',
    '/openapi/v4',
    '/openapi/v2/more',
    '/healthz/more',
    '/constructor',
    '/apis/__proto__/v1/toString',
    '/apis//v1',
    '/index.html/more',
  ]
  for (const path of pathsOutside) {
    it(`${path} is outside of all APIs: 404 in plain text (reference 1.5)`, async () => {
      const yaml = await server().admin.get(path, { accept: 'application/yaml' })
      const posted = await server().admin.post(path, {})
      for (const answer of [yaml, posted]) {
        expect([answer.status, answer.text]).to.deep.equal([404, '404 page not found\n'])
        expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8')
        expect(answer.headers['x-content-type-options']).to.equal('nosniff')
      }
    })
  }

  it('the index responds to any method (reference 6.8)', async () => {
    const { admin } = server()
    const [index, posted] = [await admin.get('/'), await admin.post('/index.html', {})]
    expect([posted.status, posted.text]).to.deep.equal([200, index.text])
  })

  const refusedMethods = [
    ['POST', `${users}/admin`],
    ['PUT', users],
    ['PATCH', users],
    ['POST', `${management}/sharedsecrets`],
    ['DELETE', `${management}/sharedsecrets`],
    ['DELETE', namespaces],
    ['DELETE', `${management}/ownedaccesskeys`],
    ['OPTIONS', users],
    ['OPTIONS', `${users}/admin`],
    ['TRACE', users],
    ['POST', `${namespaces}/default/status`],
    ['DELETE', `${namespaces}/default/status`],
    ['GET', `${namespaces}/default/finalize`],
    ['POST', '/api/v1/watch/namespaces'],
    ['PUT', '/api/v1/watch/namespaces/default'],
    ['DELETE', '/api/v1/watch/namespaces/default'],
    ['PATCH', '/api/v1/watch/namespaces/default'],
    ['POST', '/api'],
    ['POST', '/apis/management.platform/v1'],
    ['DELETE', '/version'],
  ] as const
  for (const [method, path] of refusedMethods) {
    it(`${method} ${path} is 405 (reference 1.5, 6.3)`, async () => {
      const answer = await server().admin.call(path, { method })
      expect([answer.status, answer.json]).to.deep.equal([405, methodNotAllowed])
    })
  }

  for (const path of [users, `${users}/admin`, `${users}?watch=true`, '/api/v1/watch/namespaces']) {
    it(`HEAD ${path} is 405 without a body (reference 1.4)`, async () => {
      const answer = await server().admin.call(path, { method: 'HEAD' })
      expect([answer.status, answer.text]).to.deep.equal([405, ''])
    })
  }

  const heads = ['/apis', '/apis/apps', '/healthz', '/openapi/v2', '/', '/metrics']
  for (const path of heads) {
    it(`HEAD ${path} has the headers of the GET, and no body`, async () => {
      const [get, head] = await Promise.all([
        server().admin.get(path),
        server().admin.call(path, { method: 'HEAD' }),
      ])
      expect([head.status, head.text]).to.deep.equal([200, ''])
      expect(head.headers['content-type']).to.equal(get.headers['content-type'])
    })
  }

  const samePaths = [
    [`${users}/admin`, `${users}/admin/`],
    [`${users}/admin`, `/kubernetes/management${users}/admin`],
    [users, `${users}/`],
    ['/apis', '/apis/'],
    ['/', '/kubernetes/management'],
    ['/', '/kubernetes/management/'],
    ['/', '/index.html'],
    [`${users}/admin`, `${users}/%61dmin`],
    [`${users}/admin`, `/apis/management%2Eplatform/v1/users%2Fadmin`],
    [`${users}/admin`, `${users}/admin?watch=true`],
    [`${users}/admin`, `${users}/admin?unknown=parameter&dryRun=x&limit=abc`],
  ] as const
  for (const [path, same] of samePaths) {
    it(`${same} is ${path} (reference 1.4)`, async () => {
      const [one, other] = await Promise.all([server().admin.get(path), server().admin.get(same)])
      expect(one.status).to.equal(200)
      expect([other.status, other.text]).to.deep.equal([200, one.text])
    })
  }

  const badNames = [
    ['a%25b', 'a%b', "may not contain '%'"],
    ['100%', '100%', "may not contain '%'"],
  ] as const
  for (const [segment, name, why] of badNames) {
    for (const path of [users, namespaces, secrets]) {
      it(`GET ${path}/${segment}: 400 (reference 1.16)`, async () => {
        const answer = await server().admin.get(`${path}/${segment}`)
        const message = `Name parameter invalid: "${name}": ${why}`
        expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
      })
    }
  }

  it('/watch/ without a resource: 500 (reference 1.4)', async () => {
    const answer = await server().admin.get('/api/v1/watch')
    const message = 'unable to determine kind and namespace from url, /api/v1/watch'
    expect([answer.status, answer.json]).to.deep.equal([500, failure(500, '', message)])
  })

  it('/api/v1/namespaces/<n>/status is the subresource (reference 1.4)', async () => {
    const { admin } = server()
    const [item, status] = await Promise.all([
      admin.get(`${namespaces}/default`),
      admin.get(`${namespaces}/default/status`),
    ])
    expect([status.status, status.json]).to.deep.equal([200, item.json])
  })

  it('lists and watches of all namespaces are served (reference 1.5)', async () => {
    const list = await server().admin.get(`${management}/sharedsecrets`)
    expect([list.status, list.field('kind')]).to.deep.equal([200, 'SharedSecretList'])
    const watch = await server().admin.get(`${management}/sharedsecrets?watch=1&timeoutSeconds=1`)
    expect([watch.status, watch.text]).to.deep.equal([200, ''])
  })

  it('export is refused in every spelling of true (reference 1.15)', async () => {
    const message = 'the export parameter, deprecated since v1.14, is no longer supported'
    for (const value of ['true', '1', '', 'yes']) {
      const answer = await server().admin.get(`${users}/admin?export=${value}`)
      expect([answer.status, answer.json]).to.deep.equal([400, badRequest(message)])
    }
    const answer = await server().admin.get(`${users}/admin?export=false`)
    expect(answer.status).to.equal(200)
  })
})
