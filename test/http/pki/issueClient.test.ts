import { expect } from 'chai'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { authorityLifeMs } from '../../../apiserver/http/pki/certificateChecks.ts'
import { issueAuthority, issueClient } from '../../../apiserver/http/pki/issueCertificates.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const dayMs = 24 * 60 * 60 * 1000

describe('issueClient', () => {
  const sources = { clock: new FakeClock(), random: new FakeRandom() }
  const request = {
    user: 'ann, "o"',
    groups: ['a', 'b=c'],
    targets: ['urn:acme:one'],
    lifeMs: dayMs,
  }

  it('names user, groups and target, is valid for clients only, and is signed by the authority', async () => {
    const authority = await issueAuthority(undefined, sources)
    const issued = await issueClient(authority, request, sources)
    const certificate = new X509Certificate(issued.cert)
    const ca = new X509Certificate(authority.cert)
    expect(certificate.checkIssued(ca) && certificate.verify(ca.publicKey)).to.equal(true)
    expect(certificate.checkPrivateKey(createPrivateKey(issued.key))).to.equal(true)
    expect(certificate.ca).to.equal(false)
    expect({ ...certificate.toLegacyObject().subject }).to.deep.equal({
      O: ['a', 'b=c'],
      CN: 'ann, "o"',
    })
    expect(certificate.subjectAltName).to.equal('URI:urn:acme:one')
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2'])
    expect(Date.parse(certificate.validTo)).to.equal(sources.clock.now() + dayMs)
  })

  for (const user of ['"admin"', 'x"admin"y', '#0c0561646d696e', 'a,CN=admin', 'a\\,b', 'é']) {
    it(`keeps a name exactly: ${user}`, async () => {
      const authority = await issueAuthority(undefined, sources)
      const { cert } = await issueClient(authority, { ...request, user, groups: [] }, sources)
      expect({ ...new X509Certificate(cert).toLegacyObject().subject }).to.deep.equal({ CN: user })
    })
  }

  it('expires no later than its authority', async () => {
    const authority = await issueAuthority(undefined, sources)
    const long = { ...request, lifeMs: 2 * authorityLifeMs }
    const certificate = new X509Certificate((await issueClient(authority, long, sources)).cert)
    expect(certificate.validTo).to.equal(new X509Certificate(authority.cert).validTo)
  })
})
