import { expect } from 'chai'
import { openBob, openTestServer, type TestServer } from '../endpoints/support/testServer.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { startServer } from '../../apiserver/server.ts'
import { clientOf } from '../endpoints/support/testServer.ts'

const statusz = (type: string, version: string, kind = 'Statusz') => ({
  accept: `application/${type};g=config.k8s.io;v=${version};as=${kind}`,
})
const notMachine =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for ' +
  'debugging purposes only.'

// Bodies and headers as seen on kube-apiserver 1.37.2.
describe('component pages', () => {
  let server: TestServer
  let clock: FakeClock

  before(async () => {
    clock = new FakeClock(Date.parse('2026-11-23T19:14:12Z'))
    const options = { storage: 'memory', securePort: 0, insecurePort: 0 } as const
    const secret = { adminPassword: 'hidden', trustedProxies: ['10.0.0.0/8', '::1'] }
    const running = await startServer({ ...options, ...secret }, { clock })
    server = { running, admin: clientOf(running) }
  })
  after(() => server.running.stop())

  it('show the state as text', async () => {
    clock.advance(3_725_000)
    const { text, headers } = await server.admin.get('/statusz')
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(text.split('\n')).to.deep.equal([
      '',
      'apiserver statusz',
      notMachine,
      '',
      'Started: Mon Nov 23 19:14:12 UTC 2026',
      'Up: 1 hr 02 min 05 sec',
      `Go version: node${process.versions.node}`,
      'Binary version: 1.37.2',
      'Emulation version: 1.37',
      'Paths: /flagz /healthz /livez /metrics /readyz /statusz /version',
      '',
    ])
  })

  it('show the state as an object of config.k8s.io', async () => {
    const { json, headers } = await server.admin.get('/statusz', statusz('json', 'v1beta1'))
    expect(headers['content-type']).to.equal(
      'application/json;g=config.k8s.io;v=v1beta1;as=Statusz',
    )
    expect(json).to.deep.include({
      kind: 'Statusz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'apiserver' },
      startTime: '2026-11-23T19:14:12Z',
    })
  })

  it('warn about the older version', async () => {
    const { headers } = await server.admin.get('/statusz', statusz('json', 'v1alpha1'))
    expect(headers['warning']).to.equal(
      '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
    )
  })

  it('show flags without secrets', async () => {
    const answer = await server.admin.get('/flagz', statusz('json', 'v1beta1', 'Flagz'))
    const flags = answer.field('flags')
    expect(flags).to.include({
      'admin-password': '[redacted]',
      'admin-access-key': '',
      storage: 'memory',
      'secure-port': '0',
      'trusted-proxies': '[10.0.0.0/8,::1]',
      'tracing-sampling-rate-per-million': '1000000',
      profiling: 'false',
    })
    expect(answer.text).to.not.include('hidden')
  })

  it('show flags as YAML and as text', async () => {
    const yaml = await server.admin.get('/flagz', statusz('yaml', 'v1beta1', 'Flagz'))
    expect(yaml.text).to.match(
      /^apiVersion: config.k8s.io\/v1beta1\nflags:\n {2}accept-data-loss: /,
    )
    const text = await server.admin.get('/flagz', { accept: '*/*' })
    expect(text.text).to.include(`\napiserver flagz\n${notMachine}\naccept-data-loss: false\n`)
  })

  for (const accept of [
    'application/json',
    'text/html',
    statusz('json', 'v1').accept,
    statusz('json', 'v1beta1', 'Flagz').accept,
  ])
    it(`refuse ${accept} with 406`, async () => {
      const refused = await server.admin.get('/statusz', { accept })
      expect([refused.status, refused.field('message')]).to.deep.equal([
        406,
        'only the following media types are accepted: application/json, application/yaml, text/plain',
      ])
    })

  it('are in the index of the root', async () => {
    const { json } = await server.admin.get('/')
    expect((json as { paths: string[] }).paths).to.include.members(['/flagz', '/statusz'])
  })

  it('require the right to the path', async () => {
    const own = await openTestServer()
    const bob = await openBob(own)
    const answers = await Promise.all(['/statusz', '/flagz'].map((path) => bob.get(path)))
    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403])
    await own.running.stop()
  })
})
