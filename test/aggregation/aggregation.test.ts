import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { deadline } from '../support/deadlines.ts'
import { longestTurn } from '../support/longestTurn.ts'
import { AggregatedServer } from '../support/servers/aggregatedServer.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { openTestServer, type TestServer } from '../endpoints/support/testServer.ts'

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices'
const own = `${apiServices}/v1.agg.example.com`
const group = '/apis/agg.example.com/v1'
const services = '/api/v1/namespaces/default/services'

interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('aggregation', () => {
  let server: TestServer
  let far: AggregatedServer
  let folder: string
  before(async () => {
    far = await AggregatedServer.open()
    folder = await mkdtemp(join(tmpdir(), 'aggregation-'))
    const [proxyClientCertFile, proxyClientKeyFile] = [join(folder, 'c'), join(folder, 'k')]
    await writeFile(proxyClientCertFile, far.proxy.cert)
    await writeFile(proxyClientKeyFile, far.proxy.key)
    server = await openTestServer({ delegation: { proxyClientCertFile, proxyClientKeyFile } })
  })
  beforeEach(() => {
    far.seen.length = 0
    far.paths.clear()
    far.discoveryCode = 200
  })
  after(async () => {
    await server.running.stop()
    await far.close()
    await rm(folder, { recursive: true })
  })

  const conditions = async () =>
    ((await server.admin.get(own)).field('status', 'conditions') ?? []) as Condition[]
  const becomes = async (wanted: string) => {
    let last = ''
    const isSo = async () => {
      const [found] = await conditions()
      last = found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`
      return last === wanted
    }
    await waitUntil(isSo).catch(() => expect(last).to.equal(wanted))
  }
  const register = async (port: number, spec: object = { caBundle: far.caBundle }) => {
    await server.admin.delete(own)
    const made = await server.admin.post(apiServices, {
      metadata: { name: 'v1.agg.example.com' },
      spec: {
        ...{ group: 'agg.example.com', version: 'v1' },
        ...{ groupPriorityMinimum: 1000, versionPriority: 15 },
        service: { namespace: 'default', name: 'agg', port },
        ...spec,
      },
    })
    expect(made.status).to.equal(201)
  }
  const replaceService = async (spec: object) => {
    await server.admin.delete(`${services}/agg`)
    const made = await server.admin.post(services, { metadata: { name: 'agg' }, spec })
    expect(made.status).to.equal(201)
  }
  const available = async () => {
    await replaceService({ type: 'ExternalName', externalName: 'localhost' })
    await register(far.port)
    await becomes('True Passed: all checks passed')
  }

  it('reports what a service lacks as soon as it changes', async () => {
    await register(444)
    await becomes('False ServiceNotFound: service/agg in "default" is not present')
    const { admin } = server
    await replaceService({ ports: [{ port: 443 }] })
    await becomes('False ServicePortError: service/agg in "default" is not listening on port 444')
    await replaceService({ ports: [{ port: 444 }] })
    await becomes(
      'False EndpointsNotFound: cannot find endpointslices for service/agg in "default"',
    )
    await admin.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'agg-1', labels: { 'kubernetes.io/service-name': 'agg' } },
      addressType: 'IPv4',
      endpoints: [],
      ports: [{ name: '', port: 1 }],
    })
    await becomes(
      'False MissingEndpoints: endpointslices for service/agg in "default" have no addresses with port name ""',
    )
  })

  it('reports why a server does not serve its group', async () => {
    await replaceService({ type: 'ExternalName', externalName: 'localhost' })
    const url = `https://localhost:${far.port}${group}`
    far.discoveryCode = 403
    await register(far.port)
    await becomes(
      `False FailedDiscoveryCheck: failing or missing response from ${url}: bad status from ${url}: 403`,
    )
    await register(far.port, {})
    await becomes(
      `False FailedDiscoveryCheck: failing or missing response from ${url}: Get "${url}": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    )
    far.discoveryCode = 200
    await register(far.port, { insecureSkipTLSVerify: true })
    await becomes('True Passed: all checks passed')
  })

  it('responds with 503 in plain text while a server is unavailable, and still lists its group', async () => {
    await available()
    far.discoveryCode = 500
    await register(far.port)
    await waitUntil(async () => (await conditions())[0]?.status === 'False')
    const refused = await server.admin.get(`${group}/things`)
    expect([refused.status, refused.text]).to.deep.equal([503, 'service unavailable\n'])
    const groups = (await server.admin.get('/apis')).field('groups') as { name: string }[]
    expect(groups.map(({ name }) => name)).to.include('agg.example.com')
  })

  it('forwards a request with its user in headers and without its credential', async () => {
    await available()
    far.paths.set(`${group}/namespaces/x/things`, (_seen, response) => {
      response.writeHead(202, { 'x-far': 'a', 'content-type': 'application/x' }).end('answer')
    })
    far.seen.length = 0
    const answer = await server.admin
      .with({ 'x-remote-user': 'evil', 'x-remote-extra-a': 'b', cookie: 'c=d' })
      .post(`${group}/namespaces/x/things?a=b%2Fc`, { spec: 1 })
    const [seen] = far.passedOn
    expect([answer.status, answer.text, answer.headers['x-far']]).to.deep.equal([
      202,
      'answer',
      'a',
    ])
    const { authorization, cookie, 'x-remote-user': user, ...headers } = seen?.headers ?? {}
    expect([seen?.method, seen?.url, seen?.client, seen?.body]).to.deep.equal([
      'POST',
      `${group}/namespaces/x/things?a=b%2Fc`,
      'front-proxy-client',
      '{"spec":1}',
    ])
    expect([authorization, cookie, user]).to.deep.equal([undefined, 'c=d', 'admin'])
    expect(headers['x-remote-group']).to.contain('system:authenticated')
    expect(headers).not.to.include.keys('x-remote-extra-a')
    expect(headers['x-forwarded-uri']).to.equal(`${group}/namespaces/x/things`)
    expect(headers['audit-id']).to.equal(answer.headers['audit-id'])
  })

  it('authorizes a request before forwarding it', async () => {
    await available()
    far.seen.length = 0
    const refused = await server.admin
      .with({ 'impersonate-user': 'alice' })
      .get(`${group}/namespaces/x/things`)
    expect([refused.status, refused.field('message')]).to.deep.equal([
      403,
      'things.agg.example.com is forbidden: User "alice" cannot list resource "things" in API group "agg.example.com" in the namespace "x"',
    ])
    expect(far.passedOn).to.deep.equal([])
  })

  it('does not forward redirects, and reports why a server was not reached', async () => {
    await available()
    far.paths.set(`${group}/redirect`, (_seen, response) => {
      response.writeHead(302, { location: 'https://elsewhere/' }).end()
    })
    far.paths.set(`${group}/reset`, (_seen, response) => void response.destroy())
    const redirected = await server.admin.get(`${group}/redirect`)
    expect([redirected.status, redirected.text]).to.deep.equal([
      502,
      'the backend attempted to redirect this request, which is not permitted',
    ])
    const reset = await server.admin.get(`${group}/reset`)
    expect([reset.status, reset.text]).to.deep.equal([503, 'error trying to reach service: EOF\n'])
  })

  it('streams a response part by part, and closes both sides together', async () => {
    await available()
    let isClosed = false
    let send: (text: string) => void = () => undefined
    far.paths.set(`${group}/things`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      send = (text) => void response.write(text)
      response.on('close', () => (isClosed = true))
    })
    const stream = await server.admin.open(`${group}/things?watch=1`)
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    stream.on('error', () => undefined)
    send('{"type":"ADDED"}\n')
    await waitUntil(() => text === '{"type":"ADDED"}\n')
    send('{"type":"DELETED"}\n')
    await waitUntil(() => text.endsWith('{"type":"DELETED"}\n'))
    stream.destroy()
    await waitUntil(() => isClosed)
  })

  it('forwards a watch over HTTP/2, and keeps working when either side ends', async () => {
    await available()
    far.paths.set(`${group}/things`, (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('x'.repeat(300_000))
      setImmediate(() => response.end('{"type":"ADDED"}\n'))
    })
    const session = connect(server.running.url, { rejectUnauthorized: false })
    const read = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const token = String(server.admin.headers['authorization'])
        const stream = session.request({ ':path': path, authorization: token })
        let text = ''
        stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        stream.on('error', reject)
        stream.on('end', () => resolve(text))
      })
    expect(await read(`${group}/things?watch=1`)).to.match(/^x+\{"type":"ADDED"\}\n$/)
    far.paths.set(`${group}/things`, (_seen, response) => {
      response.writeHead(200).write('a')
      setTimeout(() => response.destroy(), 20)
    })
    const cut = await read(`${group}/things?watch=1`).catch(() => 'cut')
    expect(['a', 'cut']).to.include(cut)
    expect(await read('/version')).to.contain('gitVersion')
    session.close()
  })

  for (const protocol of ['websocket', 'SPDY/3.1']) {
    it(`connects both sides of an upgrade to ${protocol}`, async () => {
      await available()
      const headers = {
        ...server.admin.headers,
        ...{ connection: 'Upgrade', upgrade: protocol },
        'sec-websocket-protocol': 'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.YQ',
      }
      const url = `${server.admin.base}${group}/namespaces/x/things/a/exec?command=b`
      const text = await new Promise<string>((resolve, reject) => {
        const request = httpRequest(url, { headers, agent: false })
        request.on('error', reject)
        request.on('upgrade', (answer, socket) => {
          socket.write('hello')
          socket.on('data', (chunk: Buffer) => {
            socket.destroy()
            resolve(`${answer.statusCode} ${String(answer.headers['x-kept'])} ${chunk.toString()}`)
          })
        })
        request.end()
      })
      expect(text).to.equal('101 yes echo hello')
      const [seen] = far.passedOn.slice(-1)
      expect([seen?.url, seen?.headers['sec-websocket-protocol']]).to.deep.equal([
        `${group}/namespaces/x/things/a/exec?command=b`,
        'v5.channel.k8s.io',
      ])
    })
  }

  it('is included in both forms of discovery', async () => {
    await available()
    const { admin } = server
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const listed = await admin.with({ accept }).get('/apis')
    const items = listed.field('items') as { metadata: { name: string }; versions: unknown }[]
    const thing = { group: '', version: '', kind: 'Thing' }
    expect(
      items.find(({ metadata }) => metadata.name === 'agg.example.com')?.versions,
    ).to.deep.equal([
      {
        version: 'v1',
        resources: [
          {
            resource: 'things',
            responseKind: thing,
            scope: 'Namespaced',
            singularResource: 'thing',
            verbs: ['get', 'list'],
            subresources: [{ subresource: 'status', responseKind: thing, verbs: ['get'] }],
          },
        ],
        freshness: 'Current',
      },
    ])
    const version = { groupVersion: 'agg.example.com/v1', version: 'v1' }
    expect(JSON.parse((await admin.get('/apis/agg.example.com')).text)).to.deep.equal({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'agg.example.com',
      versions: [version],
      preferredVersion: version,
    })
    expect((await admin.get(group)).field('kind')).to.equal('APIResourceList')
    expect((await admin.get('/apis/agg.example.com/v9')).status).to.equal(404)
  })

  it('is included in both OpenAPI versions, with only its own definitions', async () => {
    await available()
    const { admin } = server
    const index = await admin.get('/openapi/v3')
    const url = index.field('paths', 'apis/agg.example.com/v1', 'serverRelativeURL')
    expect(url).to.equal('/openapi/v3/apis/agg.example.com/v1?hash=AB')
    expect((await admin.get(String(url))).field('info', 'title')).to.equal('agg')
    const document = await admin.get('/openapi/v2')
    const definitions = document.field('definitions') as Record<string, unknown>
    expect(Object.keys(definitions).filter((name) => name.startsWith('dev.'))).to.deep.equal([
      'dev.Thing',
      'dev.Spec',
    ])
    expect(document.field('paths', `${group}/things`)).to.not.equal(undefined)
    await admin.delete(own)
    const after = await admin.get('/openapi/v2')
    expect(after.field('paths', `${group}/things`)).to.equal(undefined)
  })

  it('ignores documents that are too large or too deep, until they are not', async function () {
    this.timeout(deadline(20_000))
    const members = Array.from({ length: 1_000_000 }, (_member, at) => `"a${at}":0`).join()
    const documents = {
      wide: `{"paths":{"${group}/wide":{${members}}}}`,
      deep: `{"paths":{"${group}/deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
    }
    const { admin } = server
    const shown = async (path: string) =>
      (await admin.get('/openapi/v2')).field('paths', `${group}/${path}`) !== undefined
    for (const [name, text] of Object.entries(documents)) {
      far.paths.set('/openapi/v2', (_seen, response) => response.end(text))
      expect(await longestTurn(available), name).to.be.lessThan(deadline(200))
      expect(await shown(name)).to.equal(false)
    }
    far.paths.clear()
    await replaceService({ type: 'ExternalName', externalName: 'localhost' })
    await waitUntil(() => shown('things'))
  })

  it('removes a group when its APIService is deleted', async () => {
    await available()
    await server.admin.delete(own)
    const gone = await server.admin.get(`${group}/things`)
    expect([gone.status, gone.text]).to.deep.equal([404, '404 page not found\n'])
  })

  it('restores the APIService of a definition when it is deleted', async () => {
    const { admin } = server
    const schema = { openAPIV3Schema: { type: 'object' } }
    await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'foos.local.example.com' },
      spec: {
        ...{ group: 'local.example.com', scope: 'Cluster', names: { plural: 'foos', kind: 'Foo' } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    })
    const path = `${apiServices}/v1.local.example.com`
    const uid = async () => (await admin.get(path)).field('metadata', 'uid')
    await waitUntil(async () => (await uid()) !== undefined)
    const before = await uid()
    expect((await admin.delete(path)).status).to.equal(200)
    await waitUntil(async () => ![undefined, before].includes(await uid()))
    expect((await admin.get('/apis/local.example.com/v1/foos')).status).to.equal(200)
  })
})
