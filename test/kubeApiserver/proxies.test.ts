import { expect } from 'chai'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Answer, ClusterHarness } from './clusterHarness.ts'
import { skip } from '../support/skip.ts'

/**
 * Address of this machine to which requests may be passed on; undefined: there is only loopback.
 */
const own = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

/** Source: seen on kube-apiserver 1.37.2. */
describe('proxies of pods, services and nodes', () => {
  let harness: ClusterHarness
  let far: Server
  let port: number
  const seen: Seen[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: (await buffer(request)).toString() })
    if (url === '/page') {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
      response.end(gzipSync('<a href="/x">x</a>'))
      return
    }
    if (url === '/away') response.writeHead(302, { Location: '/login' })
    else
      response.writeHead(203, {
        ...{ 'X-Far': 'yes', 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'max-age=3' },
      })
    response.end(`far ${url}`)
  }
  before(async function () {
    this.timeout(30_000)
    if (own === undefined) skip(this, 'this machine has no address but loopback')
    far = createServer((request, response) => void respond(request, response))
    far.on('upgrade', (request, socket) => {
      seen.push({ method: 'UPGRADE', url: request.url ?? '', headers: request.headers, body: '' })
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      )
      socket.on('data', (chunk: Buffer) => socket.end(`echo ${chunk.toString()}`))
    })
    far.listen(0, own)
    await once(far, 'listening')
    // Sound: a listening TCP server has an address object.
    port = (far.address() as AddressInfo).port
    harness = await ClusterHarness.open()
    await harness.start()
    await pod('p', own)
    await pod('local', '127.0.0.1')
    await pod('linked', '169.254.169.254')
    await harness.create(services, {
      metadata: { name: 's' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    })
    await slice('s', own, 'p')
  })
  beforeEach(() => void (seen.length = 0))
  after(async function () {
    this.timeout(20_000)
    far.close()
    await harness.close()
  })

  const space = '/api/v1/namespaces/default'
  const services = `${space}/services`
  const pod = async (name: string, ip: string) => {
    const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: port }] }]
    await harness.create(`${space}/pods`, { metadata: { name }, spec: { containers } })
    const body = { status: { podIPs: [{ ip }], podIP: ip } }
    await patch(`${space}/pods/${name}/status`, body)
  }
  const patch = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const sent = { certificate: harness.admin, method: 'PATCH', body, headers }
    expect((await harness.request(path, sent)).status).to.equal(200)
  }
  const slice = async (service: string, address: string, target: string) => {
    const made = await harness.create(
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
      {
        metadata: { name: service, labels: { 'kubernetes.io/service-name': service } },
        addressType: 'IPv4',
        endpoints: [
          { addresses: [address], targetRef: { kind: 'Pod', namespace: 'default', name: target } },
        ],
        ports: [{ name: 'web', port }],
      },
    )
    expect(made.status).to.equal(201)
  }
  const told = async (path: string) => {
    const answer = new Answer(await harness.request(path))
    return [answer.field('code'), answer.field('reason'), answer.field('message')]
  }
  const sent = async (method: string, path: string, body?: object) => {
    const { status } = await harness.request(path, {
      ...{ certificate: harness.admin, method },
      ...(body && { body }),
    })
    return { status, ...seen.at(-1) }
  }

  for (const method of ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    it(`passes ${method} on`, async () => {
      const { status, ...got } = await sent(method, `${space}/pods/p/proxy/a/b?x=1&x=%2F`)
      expect([status, got.method, got.url]).to.deep.equal([203, method, '/a/b?x=1&x=%2F'])
    })
  }

  it('passes the body on, and the client address and path, but no credentials', async () => {
    const { body, headers } = await sent('POST', `${space}/pods/p:${port}/proxy/a/c%20d/`, {
      a: 1,
    })
    expect(body).to.equal('{"a":1}')
    expect(headers?.['x-forwarded-uri']).to.equal(`${space}/pods/p:${port}/proxy/a/c%20d/`)
    expect(headers?.['x-forwarded-for']).to.match(/127\.0\.0\.1$/)
    expect(headers?.host).to.equal(`127.0.0.1:${harness.port}`)
    expect(headers).to.not.have.any.keys('authorization', 'x-remote-user')
  })

  it('streams the response back without the headers that open it to other origins', async () => {
    const { headers, text } = await harness.request(`${space}/pods/p/proxy/a`)
    expect([text, headers['x-far']]).to.deep.equal(['far /a', 'yes'])
    expect(headers['cache-control']).to.equal('no-cache, private, max-age=3')
    expect(headers).to.not.have.property('access-control-allow-origin')
  })

  it('lets the links of pages lead through this server', async () => {
    const { headers, text } = await harness.request(`${space}/pods/p/proxy/page`)
    expect(text).to.equal(`<a href="${space}/pods/p/proxy/x">x</a>`)
    expect(headers).to.not.have.property('content-encoding')
  })

  it('redirects to the root, and lets redirects lead through this server', async () => {
    const root = await harness.request(`${space}/pods/p/proxy?a=1`)
    expect([root.status, root.headers.location]).to.deep.equal([301, `${space}/pods/p/proxy/?a=1`])
    const away = await harness.request(`${space}/pods/p/proxy/away`)
    expect([away.status, away.headers.location]).to.deep.equal([302, `${space}/pods/p/proxy/login`])
    expect((await sent('POST', `${space}/pods/p/proxy`)).url).to.equal('/')
  })

  for (const name of ['s:web', 's:80', 'http:s:web']) {
    it(`finds the pod behind the service port ${name}`, async () => {
      const { status, url } = await sent('GET', `${services}/${name}/proxy/x`)
      expect([status, url]).to.deep.equal([203, '/x'])
    })
  }

  it('passes an upgraded connection on', async () => {
    const { cert, key } = harness.admin
    const to = { host: '127.0.0.1', port: harness.port, cert, key, rejectUnauthorized: false }
    const socket = connect({ ...to, ALPNProtocols: ['http/1.1'] })
    await once(socket, 'secureConnect')
    socket.write(
      `GET ${space}/pods/p/proxy/up?x=1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).to.match(/^HTTP\/1\.1 101 /)
    socket.write('hello')
    expect((await buffer(socket)).toString()).to.equal('echo hello')
    expect([seen[0]?.method, seen[0]?.url, seen[0]?.headers.host]).to.deep.equal([
      'UPGRADE',
      '/up',
      'a',
    ])
  })

  const refused = [
    ['loopback', 'pods/local', 400, 'BadRequest', 'address not allowed'],
    ['a link-local address', 'pods/linked:80', 400, 'BadRequest', 'address not allowed'],
    ['too many parts', 'pods/a:b:c:d', 400, 'BadRequest', 'invalid pod request "a:b:c:d"'],
    ['a missing pod', 'pods/none', 404, 'NotFound', 'pods "none" not found'],
    [
      ...(['a service without endpoints', 'services/none', 503, 'ServiceUnavailable'] as const),
      'no endpoints available for service "none"',
    ],
    [
      ...(['a service port that is not declared', 'services/s:81', 503] as const),
      ...(['ServiceUnavailable', 'no service port 81 found for service "s"'] as const),
    ],
    ['a missing service', 'services/none:80', 404, 'NotFound', 'services "none" not found'],
  ] as const
  for (const [what, path, ...want] of refused) {
    it(`refuses ${what} with ${want[0]}`, async () => {
      expect(await told(`${space}/${path}/proxy/`)).to.deep.equal(want)
      expect(seen).to.deep.equal([])
    })
  }

  it('uses no address of a slice that is not that of the pod it names', async () => {
    await harness.create(services, {
      metadata: { name: 'foreign' },
      spec: { ports: [{ name: 'web', port: 80 }] },
    })
    await slice('foreign', '10.9.9.9', 'p')
    expect(await told(`${services}/foreign:web/proxy/`)).to.deep.equal([
      ...[503, 'ServiceUnavailable', 'no endpoints available for service "foreign"'],
    ])
  })

  it('answers 503 if the pod does not listen', async () => {
    const [code, reason, message] = await told(`${space}/pods/p:1/proxy/`)
    expect([code, reason, message]).to.deep.equal([
      ...[503, 'ServiceUnavailable'],
      `error trying to reach service: dial tcp ${own}:1: connect: connection refused`,
    ])
  })

  it('answers 503 if the pod has no TLS', async () => {
    const [code, , message] = await told(`${space}/pods/https:p:${port}/proxy/`)
    expect([code, message]).to.deep.equal([
      503,
      'error trying to reach service: tls: first record does not look like a TLS handshake',
    ])
  })

  it('has no subresources below the deprecated form of watches: 404', async () => {
    for (const name of ['proxy', 'status']) {
      const [code] = await told(`/api/v1/watch/namespaces/default/pods/p/${name}`)
      expect(code).to.equal(404)
    }
  })

  it('reaches a port of a node, and refuses one with a loopback address', async () => {
    for (const [name, address] of [
      ['n', own],
      ['looped', 'localhost'],
    ]) {
      await harness.create('/api/v1/nodes', { metadata: { name } })
      const status = { addresses: [{ type: 'InternalIP', address }] }
      await patch(`/api/v1/nodes/${name}/status`, { status })
    }
    const { status, url } = await sent('GET', `/api/v1/nodes/n:${port}/proxy/stats`)
    expect([status, url]).to.deep.equal([203, '/stats'])
    expect(await told('/api/v1/nodes/looped/proxy/')).to.deep.equal([
      ...[400, 'BadRequest', 'address not allowed'],
    ])
  })

  it('needs the right to the subresource, by the verb of the method', async () => {
    const asOther = { 'impersonate-user': 'other' }
    const answer = new Answer(
      await harness.request(`${space}/pods/p/proxy/a`, {
        ...{ certificate: harness.admin, method: 'PUT', headers: asOther },
      }),
    )
    expect(answer.field('message')).to.equal(
      'pods "p" is forbidden: User "other" cannot update resource "pods/proxy" in API group "" in the namespace "default"',
    )
  })

  it('is published by discovery with every verb', async () => {
    const all = (await harness.get('/api/v1')).field('resources') as { name: string }[]
    expect(all.filter(({ name }) => name.endsWith('/proxy'))).to.deep.equal(
      [
        { name: 'nodes/proxy', namespaced: false, kind: 'NodeProxyOptions' },
        { name: 'pods/proxy', namespaced: true, kind: 'PodProxyOptions' },
        { name: 'services/proxy', namespaced: true, kind: 'ServiceProxyOptions' },
      ].map(({ name, ...rest }) => ({
        ...{ name, singularName: '', ...rest },
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      })),
    )
  })
})
