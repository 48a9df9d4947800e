import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Answer, HttpClient } from '../../../endpoints/support/httpClient.ts'
import {
  clientOf,
  management,
  openTestServer,
  useTestServer,
  type TestServer,
} from '../../../endpoints/support/testServer.ts'
import { issueAuthority, issueLeaf } from '../../../../apiserver/http/pki/issueCertificates.ts'
import { realClock } from '../../../../apiserver/runtime/realClock.ts'
import { FakeRandom } from '../../../support/fakes/fakeRandom.ts'

const daySeconds = 24 * 60 * 60
const instances = `${management}/namespaces/p-shop/virtualclusterinstances`
const withIngress = { accessPoint: { ingress: { enabled: true } } }

interface Kubeconfig {
  clusters: { name: string; cluster: Record<string, string> }[]
  users: { name: string; user: Record<string, string> }[]
  contexts: { name: string; context: Record<string, string> }[]
  'current-context': string
}

function configOf(answer: Answer): Kubeconfig {
  expect(answer.status, answer.text).to.equal(201)
  // The test checks the document field by field.
  return parse(String(answer.field('status', 'kubeConfig'))) as Kubeconfig
}

const decoded = (text = '') => Buffer.from(text, 'base64').toString()

describe('VirtualClusterInstanceKubeConfig', () => {
  const server = useTestServer()
  let admin: HttpClient

  before(async () => {
    admin = server().admin
    await admin.post(`${management}/projects`, {
      metadata: { name: 'shop' },
      spec: { allowedClusters: [{ name: '*' }] },
    })
    await admin.post(`${management}/clusters`, {
      metadata: { name: 'far', annotations: { 'platform/ingress-suffix': 'far.example' } },
    })
    const made: [name: string, spec: object][] = [
      ['web', { template: withIngress }],
      ['closed', {}],
      ['far', { template: withIngress, clusterRef: { cluster: 'far' } }],
    ]
    for (const [name, spec] of made) await admin.post(instances, { metadata: { name }, spec })
  })

  const ask = (name: string, spec: object = {}, query = '') =>
    admin.post(`${instances}/${name}/kubeconfig${query}`, { spec })

  it('has one cluster, context and the user vcluster (spec kubeconfig.kubeConfig, endpoint.VirtualClusterInstanceKubeConfig.create)', async () => {
    const { running } = server()
    const config = configOf(await ask('web'))
    const token = config.users[0]?.user['token']
    expect(config).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'web',
          cluster: {
            server: `${running.url}/kubernetes/project/shop/virtualcluster/web`,
            'certificate-authority-data': Buffer.from(running.caCertificate ?? '').toString(
              'base64',
            ),
          },
        },
      ],
      users: [{ name: 'vcluster', user: { token } }],
      contexts: [{ name: 'web', context: { cluster: 'web', user: 'vcluster' } }],
      'current-context': 'web',
    })
  })

  it('carries an access key of the caller for this virtual cluster only', async () => {
    const { token } = configOf(await ask('web', { certificateTTL: 60 })).users[0]?.user ?? {}
    const self = await admin.post(`${management}/selves`, { spec: { accessKey: token } })
    const name = String(self.field('status', 'accessKey'))
    const key = await admin.get(`${management}/ownedaccesskeys/${name}`)
    expect(key.field('metadata', 'labels')).to.deep.equal({
      'platform/project': 'shop',
      'platform/vcluster': 'web',
    })
    const fields = ['user', 'type', 'ttl', 'scope'].map((field) => key.field('spec', field))
    const scope = { virtualClusters: [{ project: 'shop', virtualCluster: 'web' }] }
    expect(fields).to.deep.equal(['admin', 'Other', 60, scope])
    const client = clientOf(server().running, token ?? '')
    expect((await client.get(`${management}/users`)).status).to.equal(403)
  })

  const lives: [name: string, spec: object, seconds: number][] = [
    ['one day by default', {}, daySeconds],
    ['as long as asked', { certificateTTL: 120 }, 120],
    ['the signing duration of a year for zero', { certificateTTL: 0 }, 365 * daySeconds],
  ]
  for (const [name, spec, seconds] of lives) {
    it(`a certificate is valid ${name} (spec kubeconfig.certificateTTL, limit.certificateTTL)`, async () => {
      const before = Date.now()
      const config = configOf(await ask('web', { ...spec, clientCert: true }))
      const user = config.users[0]?.user ?? {}
      const certificate = new X509Certificate(decoded(user['client-certificate-data']))
      const left = (Date.parse(certificate.validTo) - before) / 1000
      expect(left).to.be.within(seconds - 5, seconds + 60)
    })
  }

  it('the certificate is signed by the server and names the user, its groups and its scope (spec kubeconfig.clientCert)', async () => {
    const config = configOf(await ask('web', { clientCert: true }))
    const [entry] = config.users
    const certificate = new X509Certificate(decoded(entry?.user['client-certificate-data']))
    const authority = new X509Certificate(server().running.caCertificate ?? '')
    expect(entry?.name).to.equal('vcluster')
    expect(certificate.verify(authority.publicKey)).to.equal(true)
    expect(certificate.subject.split('\n')).to.include.members([
      'O=system:masters',
      'O=platform:user:admin',
      'CN=admin',
    ])
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2'])
    expect(
      certificate.subjectAltName?.split(', ').map((name) => name.split(':').slice(0, 4)),
    ).to.deep.equal([
      ['URI', 'urn', 'platform', 'project'],
      ['URI', 'urn', 'platform', 'uids'],
    ])
    expect(certificate.subjectAltName).to.include(
      'URI:urn:platform:project:shop:virtualcluster:web,',
    )
    expect(decoded(entry?.user['client-key-data'])).to.match(/^-----BEGIN PRIVATE KEY-----/)
    expect(Object.keys(entry?.user ?? {})).to.deep.equal([
      'client-certificate-data',
      'client-key-data',
    ])
  })

  it('overrides the address (spec kubeconfig.server)', async () => {
    const config = configOf(await ask('web', { server: 'https://elsewhere.example' }))
    expect(config.clusters[0]?.cluster['server']).to.equal('https://elsewhere.example')
  })

  it('has the ingress domain of the connected cluster', async () => {
    const config = configOf(await ask('far'))
    expect(config.clusters[0]?.cluster).to.deep.equal({ server: 'https://far-shop.far.example' })
  })

  it('issues nothing in a dry run', async () => {
    const count = async () =>
      (await admin.get(`${management}/ownedaccesskeys`)).field('items', 'length')
    const before = await count()
    const answer = await ask('web', {}, '?dryRun=All')
    expect([answer.status, answer.field('status')]).to.deep.equal([201, {}])
    expect(await count()).to.equal(before)
  })

  it('refuses a virtual cluster without an ingress endpoint: 400 (spec kubeconfig.ingress)', async () => {
    for (const spec of [{}, { clientCert: true }, { server: 'https://elsewhere.example' }]) {
      const answer = await ask('closed', spec)
      expect([answer.status, answer.field('reason'), answer.field('message')]).to.deep.equal([
        400,
        'BadRequest',
        'virtual cluster p-shop/closed has no ingress endpoint: enable accessPoint.ingress in its template',
      ])
    }
  })

  it('answers 404 for a virtual cluster that does not exist', async () => {
    expect((await ask('none')).status).to.equal(404)
  })

  it('there are no virtual clusters outside of projects', async () => {
    const path = `${management}/namespaces/default/virtualclusterinstances`
    const spec = { template: withIngress }
    const made = await admin.post(path, { metadata: { name: 'stray' }, spec })
    const answer = await admin.post(`${path}/stray/kubeconfig`, {})
    expect([made.status, answer.status]).to.deep.equal([403, 404])
  })

  it('refuses a past time with 422', async () => {
    const answer = await ask('web', { certificateTTL: -1 })
    expect([answer.status, answer.field('details', 'causes', 0, 'field')]).to.deep.equal([
      422,
      'spec.certificateTTL',
    ])
  })

  it('serves no get: 405 (facts 1.0)', async () => {
    expect((await admin.get(`${instances}/web/kubeconfig`)).status).to.equal(405)
  })
})

describe('VirtualClusterInstanceKubeConfig with a custom serving certificate', () => {
  let folder: string
  let server: TestServer

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-'))
    const sources = { clock: realClock, random: new FakeRandom() }
    const authority = await issueAuthority(undefined, sources)
    const { cert, key } = await issueLeaf(authority, ['127.0.0.1'], sources)
    const [tlsCertFile, tlsPrivateKeyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
    await Promise.all([writeFile(tlsCertFile, cert), writeFile(tlsPrivateKeyFile, key)])
    server = await openTestServer({ tlsCertFile, tlsPrivateKeyFile })
    const { admin } = server
    await admin.post(`${management}/projects`, { metadata: { name: 'shop' } })
    await admin.post(instances, { metadata: { name: 'web' }, spec: { template: withIngress } })
  })
  after(async () => {
    await server.running.stop()
    await rm(folder, { recursive: true })
  })

  it('refuses a client certificate with 422, because no authority can sign it', async () => {
    const spec = { clientCert: true }
    const answer = await server.admin.post(`${instances}/web/kubeconfig`, { spec })
    expect([answer.status, answer.field('details', 'causes', 0, 'message')]).to.deep.equal([
      422,
      'Invalid value: true: the server has no certificate authority of its own to sign with',
    ])
  })

  it("leaves the authority to the client's system", async () => {
    const config = configOf(await server.admin.post(`${instances}/web/kubeconfig`, {}))
    expect(Object.keys(config.clusters[0]?.cluster ?? {})).to.deep.equal(['server'])
  })
})
