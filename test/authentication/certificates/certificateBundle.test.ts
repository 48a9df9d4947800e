import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import {
  CertificateBundle,
  isOpenAt,
} from '../../../apiserver/authentication/certificates/certificateBundle.ts'
import {
  authority,
  certificate,
  serverUse,
  type CertificateRequest,
  type Issued,
} from '../../support/certificates.ts'

const at = (year: number) => new Date(Date.UTC(year, 0, 1))

describe('CertificateBundle', () => {
  let root: Issued
  let other: Issued

  before(async () => {
    root = await authority('root')
    other = await authority('root')
  })

  const shown = ({ cert }: Issued) => new X509Certificate(cert)
  const isTaken = (issued: Issued, now = Date.now(), bundle = new CertificateBundle(root.cert)) =>
    isOpenAt(bundle.windows(shown(issued)), now)

  const cases: [name: string, request: CertificateRequest, by: () => Issued, taken: boolean][] = [
    ['of the authority', {}, () => root, true],
    ['of another authority of the same name', {}, () => other, false],
    ['for servers alone', { uses: [serverUse] }, () => root, false],
    ['for any use', { uses: ['2.5.29.37.0'] }, () => root, true],
    ['that says nothing of its use', { uses: [] }, () => root, true],
    ['that has ended', { from: at(2020), to: at(2021) }, () => root, false],
    ['that has not begun', { from: at(2090), to: at(2091) }, () => root, false],
  ]
  for (const [name, request, by, taken] of cases) {
    it(`${taken ? 'accepts' : 'refuses'} a certificate ${name} (reference 7.5)`, async () => {
      expect(isTaken(await certificate({ cn: 'a', ...request }, by()))).to.equal(taken)
    })
  }

  it('accepts a certificate only while its whole chain is valid', async () => {
    const short = { from: at(2030), to: at(2031) }
    const young = await certificate({ cn: 'young', isAuthority: true, ...short })
    const leaf = await certificate({ cn: 'a', from: at(2029), to: at(2040) }, young)
    const bundle = new CertificateBundle(young.cert)
    const when = [at(2029), at(2030), at(2032)].map((date) => date.getTime())
    expect(bundle.windows(shown(leaf))).to.deep.equal([
      { from: at(2030).getTime(), to: at(2031).getTime() },
    ])
    expect(when.map((now) => isTaken(leaf, now, bundle))).to.deep.equal([false, true, false])
  })

  it('accepts a certificate of any of several authorities', async () => {
    const bundle = new CertificateBundle(`# words\n${other.cert}\n${root.cert}`)
    expect(isTaken(await certificate({ cn: 'a' }, root), Date.now(), bundle)).to.equal(true)
  })

  it('accepts a certificate whose issuer is in the bundle itself', async () => {
    const between = await authority('between', root)
    const leaf = await certificate({ cn: 'a' }, between)
    const bundle = new CertificateBundle(between.cert)
    expect(isTaken(leaf, Date.now(), bundle)).to.equal(true)
  })

  it('refuses a certificate whose issuer is not an authority', async () => {
    const leaf = await certificate({ cn: 'leaf' }, root)
    const forged = await certificate({ cn: 'a' }, leaf)
    const bundle = new CertificateBundle(root.cert + leaf.cert)
    expect(isTaken(forged, Date.now(), bundle)).to.equal(false)
  })

  it('checks at most 100 signatures, however many chains the intermediate certificates form', async () => {
    let checked = 0
    const maze = await Promise.all(Array.from({ length: 9 }, () => authority('A')))
    const [leaf, ...others] = maze.map(shown)
    for (const [at, one] of [leaf, ...others].entries()) {
      // Intermediate certificates of one key, each of which issued all others.
      const verify = () => checked++ >= 0
      Object.defineProperties(one, {
        issuerCertificate: { value: others[at] },
        checkIssued: { value: (issuer: X509Certificate) => issuer.subject === 'CN=A' },
        verify: { value: verify },
      })
    }
    expect(leaf && new CertificateBundle(root.cert).windows(leaf)).to.deep.equal([])
    expect(checked).to.equal(100)
  })

  it('refuses a bundle without a certificate', () => {
    expect(() => new CertificateBundle('words')).to.throw('no PEM certificate found')
  })

  it('gives TLS the same authorities', () => {
    const { pem } = new CertificateBundle(root.cert + other.cert)
    expect(() => createSecureContext({ ca: pem })).not.to.throw()
  })
})
