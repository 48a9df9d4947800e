import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CertificateBundle } from '../../../apiserver/authentication/certificates/certificateBundle.ts'
import {
  ConnectionUsers,
  type ClientTrust,
} from '../../../apiserver/authentication/certificates/connectionUsers.ts'
import { RemoteHeaders } from '../../../apiserver/authentication/remoteHeaders.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import { authority, certificate, type Issued } from '../../support/certificates.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const proxied = ['X-Remote-User', 'ann', 'X-Remote-Group', 'crew']

describe('ConnectionUsers', () => {
  const clock = new FakeClock(Date.now())
  let clients: Issued
  let proxies: Issued
  let trust: ClientTrust
  let refused: string[]
  let users: ConnectionUsers

  before(async () => {
    clients = await authority('clients')
    proxies = await authority('proxies')
  })

  beforeEach(() => {
    refused = []
    trust = {
      clients: new CertificateBundle(clients.cert),
      frontProxy: {
        bundle: new CertificateBundle(proxies.cert),
        allowedNames: ['proxy'],
        headers: new RemoteHeaders(),
      },
    }
    const report = (why: string) => void refused.push(why)
    users = new ConnectionUsers({ trust: () => trust, names: defaultNames, clock, refused: report })
  })

  function request(shown: Issued | undefined, rawHeaders: string[] = proxied): IncomingMessage {
    const getPeerX509Certificate = () => shown && new X509Certificate(shown.cert)
    const socket = { getPeerX509Certificate }
    // What is read of a request.
    return { socket, rawHeaders, headers: {} } as unknown as IncomingMessage
  }
  const who = async (
    subject: Parameters<typeof certificate>[0],
    by: Issued,
    rawHeaders?: string[],
  ) => users.authenticate(request(await certificate(subject, by), rawHeaders))

  it('a front proxy passes the user in headers (reference 7.4)', async () => {
    expect(await who({ cn: 'proxy' }, proxies)).to.deep.equal({
      name: 'ann',
      uid: '',
      groups: ['crew', 'system:authenticated'],
      extra: {},
    })
  })

  it('an anonymous user of a front proxy stays anonymous (reference 7.4)', async () => {
    const headers = [
      'X-Remote-User',
      'system:anonymous',
      'X-Remote-Group',
      'system:unauthenticated',
    ]
    expect(await who({ cn: 'proxy' }, proxies, headers)).to.deep.include({
      name: 'system:anonymous',
      groups: ['system:unauthenticated'],
    })
  })

  it('headers without a certificate are ignored (reference 7.4)', () => {
    expect(users.authenticate(request(undefined))).to.equal(undefined)
  })

  it('a certificate with a name that is not allowed is refused (reference 7.4)', async () => {
    expect(await who({ cn: 'other' }, proxies)).to.equal('refused')
    expect(refused[0]).to.match(
      /^x509: subject with cn=other is not in the allowed list; verifying/,
    )
  })

  it('any name is allowed by default (reference 7.4)', async () => {
    const { frontProxy, clients: theirs } = trust
    if (frontProxy === undefined) throw new Error('it is set')
    trust = { clients: theirs, frontProxy: { ...frontProxy, allowedNames: [] } }
    expect(await who({ cn: 'other' }, proxies)).to.deep.include({ name: 'ann' })
  })

  it('a client certificate does not authenticate a front proxy (reference 7.4)', async () => {
    expect(await who({ cn: 'proxy', o: ['g'] }, clients)).to.deep.include({
      name: 'proxy',
      groups: ['g', 'system:authenticated'],
    })
  })

  it('a front proxy that names no user is treated as a client (reference 7.1)', async () => {
    expect(await who({ cn: 'proxy' }, proxies, [])).to.equal('refused')
    const frontProxy = trust.frontProxy
    trust = { clients: undefined, frontProxy }
    expect(await who({ cn: 'proxy' }, proxies, [])).to.equal(undefined)
  })

  it('a certificate of an unknown authority is refused (reference 7.1)', async () => {
    const stranger = await authority('proxies')
    expect(await who({ cn: 'proxy' }, stranger)).to.equal('refused')
  })

  it('without authorities certificates are ignored', async () => {
    trust = { clients: undefined, frontProxy: undefined }
    expect(await who({ cn: 'proxy' }, proxies)).to.equal(undefined)
  })

  it('a client certificate names its user (reference 7.5)', async () => {
    const shown = await certificate({ cn: 'bob', o: ['a', 'b'], uid: ['u-1'] }, clients)
    const { fingerprint256 } = new X509Certificate(shown.cert)
    const digest = fingerprint256.replaceAll(':', '').toLowerCase()
    expect(users.authenticate(request(shown))).to.deep.equal({
      name: 'bob',
      uid: 'u-1',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
    })
  })

  it('a client certificate without a common name is unauthenticated (reference 7.5)', async () => {
    trust = { clients: trust.clients, frontProxy: undefined }
    expect(await who({ o: ['g'] }, clients)).to.equal(undefined)
  })

  for (const [uid, why] of [
    [['a', 'b'], 'expected 1 UID, but found multiple: [a b]'],
    [[''], 'UID cannot be an empty string'],
  ] as const) {
    it(`${why} (reference 7.5)`, async () => {
      expect(await who({ cn: 'bob', uid }, clients)).to.equal('refused')
      expect(refused).to.deep.equal([why])
    })
  }

  it('a certificate for one virtual cluster is valid there only', async () => {
    const targets = ['urn:platform:project:shop:virtualcluster:web']
    for (const by of [clients, proxies]) {
      expect(await who({ cn: 'proxy', targets }, by)).to.equal('refused')
    }
  })

  it("a scope in a front proxy's headers restricts; an unreadable one is refused", async () => {
    const said = (text: string) => [...proxied, 'X-Remote-Extra-Platform%2Fscope', text]
    const scope = { projects: [{ project: 'shop' }] }
    const found = await who({ cn: 'proxy' }, proxies, said(JSON.stringify(scope)))
    expect(found).to.deep.include({ extra: {}, credential: { scope } })
    expect(await who({ cn: 'proxy' }, proxies, said('all'))).to.equal('refused')
  })

  it('expiry and a change of authorities apply to open connections', async () => {
    const to = new Date(clock.now() + 60_000)
    const open = request(await certificate({ cn: 'bob', to }, clients))
    expect(users.authenticate(open)).to.deep.include({ name: 'bob' })
    const { frontProxy } = trust
    trust = { frontProxy, clients: new CertificateBundle(proxies.cert) }
    expect(users.authenticate(open)).to.equal('refused')
    trust = { frontProxy, clients: new CertificateBundle(clients.cert) }
    expect(users.authenticate(open)).to.deep.include({ name: 'bob' })
    clock.advance(61_000)
    expect(users.authenticate(open)).to.equal('refused')
  })
})
