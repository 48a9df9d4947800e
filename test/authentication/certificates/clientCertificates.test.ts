import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import {
  certifiedTarget,
  certifiedUids,
  ClientCertificates,
} from '../../../apiserver/authentication/certificates/clientCertificates.ts'
import type { TokenIdentity } from '../../../apiserver/authentication/tokens/endpointTokenAuthenticator.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import type { CertifiedKey } from '../../../apiserver/http/pki/certificate.ts'
import {
  issueAuthority,
  issueClient,
  issueLeaf,
} from '../../../apiserver/http/pki/issueCertificates.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const minuteMs = 60_000
const virtual = { project: 'shop', virtualCluster: 'web' }
const wanted = { target: certifiedTarget(defaultNames, virtual), uid: 'web-1' }

describe('ClientCertificates', () => {
  const clock = new FakeClock()
  const sources = { clock, random: new FakeRandom() }
  const ann: TokenIdentity = {
    name: 'ann',
    uid: 'ann-1',
    groups: ['now'],
    isDisabled: false,
    tokenGeneration: 0,
  }
  let identity: TokenIdentity | undefined
  let changed: (change: { user: string | undefined }) => void
  let authority: CertifiedKey
  let authenticator: ClientCertificates

  before(async () => {
    authority = await issueAuthority(undefined, sources)
  })

  beforeEach(() => {
    identity = ann
    authenticator = new ClientCertificates({
      names: defaultNames,
      clock,
      identities: {
        user: (name) => (name === 'ann-object' ? identity : undefined),
        team: (name) => (name === 'ops' ? { ...ann, name: 'platform:team:ops' } : undefined),
        onChange: (listener) => void (changed = listener),
      },
      authority: () => authority.cert,
    })
  })

  const request = {
    user: 'ann',
    groups: ['then', 'platform:user:*', 'platform:user:ann-object'],
    targets: [wanted.target, certifiedUids(defaultNames, 'web-1', 'ann-1')],
    lifeMs: minuteMs,
  }
  const issue = (change: Partial<typeof request> = {}, by = authority) =>
    issueClient(by, { ...request, ...change }, sources)
  const whoShows = ({ cert }: CertifiedKey, where = wanted, connection: object = {}) =>
    authenticator.authenticate(connection, () => new X509Certificate(cert), where)

  it('authenticates the user with its current groups', async () => {
    expect(whoShows(await issue())).to.deep.equal({
      name: 'ann',
      uid: 'ann-1',
      groups: ['now'],
      extra: {},
      credential: { user: 'ann-object' },
    })
  })

  it('authenticates a team', async () => {
    const found = whoShows(await issue({ user: 'platform:team:ops', groups: [] }))
    expect(found?.credential).to.deep.equal({ team: 'ops' })
  })

  const refused: [name: string, change: () => Promise<CertifiedKey>, where?: typeof wanted][] = [
    ['of another authority', async () => issue({}, await issueAuthority(undefined, sources))],
    ['of a server', () => issueLeaf(authority, ['web'], sources)],
    ['that is the authority itself', async () => authority],
    ['for another virtual cluster', () => issue(), { ...wanted, target: 'urn:other' }],
    ['for one of the same name before', () => issue(), { ...wanted, uid: 'web-2' }],
    [
      'of a holder of the same name before',
      () => issue({ targets: [wanted.target, certifiedUids(defaultNames, 'web-1', 'ann-0')] }),
    ],
    ['that names no virtual cluster', () => issue({ targets: ['urn:nothing'] })],
    ['of nobody', () => issue({ groups: ['platform:user:*'] })],
    ['of an unknown user', () => issue({ groups: ['platform:user:bob'] })],
    ['with the groups of one user and the name of another', () => issue({ user: 'bob' })],
  ]
  for (const [name, made, where] of refused) {
    it(`refuses one ${name}`, async () => {
      expect(whoShows(await made(), where)).to.equal(undefined)
    })
  }

  it('refuses one of a disabled or deleted user', async () => {
    const key = await issue()
    identity = { ...ann, isDisabled: true }
    expect(whoShows(key)).to.equal(undefined)
    identity = undefined
    expect(whoShows(key)).to.equal(undefined)
  })

  describe('onRevoked', () => {
    const cases: [name: string, change: () => void, user: string | undefined, want: number][] = [
      ['its user was disabled', () => (identity = { ...ann, isDisabled: true }), 'ann-object', 1],
      ['its user is gone', () => (identity = undefined), 'ann-object', 1],
      ['its user was made anew', () => (identity = { ...ann, uid: 'ann-2' }), 'ann-object', 1],
      ['its user has another name', () => (identity = { ...ann, name: 'bob' }), 'ann-object', 1],
      ['a team changed, and its user is gone', () => (identity = undefined), undefined, 1],
      ['another user changed', () => undefined, 'bob-object', 0],
      ['its user has other groups', () => (identity = { ...ann, groups: [] }), 'ann-object', 0],
    ]
    for (const [name, change, user, want] of cases) {
      it(`${want === 1 ? 'fires once' : 'does not fire'} when ${name}`, async () => {
        const shown = whoShows(await issue())
        let told = 0
        if (shown !== undefined) authenticator.onRevoked(shown, () => told++)
        change()
        changed({ user })
        changed({ user })
        expect(told).to.equal(want)
      })
    }

    it('fires at once if it has already happened', async () => {
      const shown = whoShows(await issue())
      identity = undefined
      let told = 0
      if (shown !== undefined) authenticator.onRevoked(shown, () => told++)
      expect(told).to.equal(1)
    })

    it('does not fire after unsubscribing', async () => {
      const shown = whoShows(await issue())
      let told = 0
      if (shown !== undefined) authenticator.onRevoked(shown, () => told++)()
      identity = undefined
      changed({ user: 'ann-object' })
      expect(told).to.equal(0)
    })
  })

  it('a certificate expires on open connections too', async () => {
    const connection = {}
    const key = await issue()
    expect(whoShows(key, wanted, connection)?.name).to.equal('ann')
    clock.advance(minuteMs + 1_000)
    expect(whoShows(key, wanted, connection)).to.equal(undefined)
  })

  it('a certificate is parsed once per connection', async () => {
    const { cert } = await issue()
    const connection = {}
    let read = 0
    const shown = () => {
      read++
      return new X509Certificate(cert)
    }
    authenticator.authenticate(connection, shown, wanted)
    authenticator.authenticate(connection, shown, wanted)
    expect(read).to.equal(1)
  })

  it('a connection without a certificate is unauthenticated', () => {
    expect(authenticator.authenticate({}, () => undefined, wanted)).to.equal(undefined)
  })
})
