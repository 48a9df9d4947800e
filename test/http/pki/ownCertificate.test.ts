import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueAuthority, issueLeaf } from '../../../apiserver/http/pki/issueCertificates.ts'
import {
  loadOrCreateServingCertificate,
  renewServingCertificate,
  type CertificateRequest,
} from '../../../apiserver/http/pki/servingCertificate.ts'
import type { CertifiedKey } from '../../../apiserver/http/pki/certificate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const random = new FakeRandom()
const encryptedKey =
  '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n'

describe('a custom serving certificate', () => {
  const clock = new FakeClock(Date.UTC(2026, 0, 1))
  let authority: CertifiedKey
  let leaf: CertifiedKey
  let folder: string
  let request: CertificateRequest

  before(async () => {
    authority = await issueAuthority(undefined, { clock, random })
    leaf = await issueLeaf(authority, ['localhost'], { clock, random })
  })

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-'))
    const own = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
    request = { directory: join(folder, 'pki'), hosts: ['elsewhere'], own, clock, random }
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function put(cert: string | undefined, key: string | undefined): Promise<void> {
    if (cert !== undefined) await writeFile(join(folder, 'tls.crt'), cert)
    if (key !== undefined) await writeFile(join(folder, 'tls.key'), key)
  }

  it("is served unchanged, and clients use their system's trust", async () => {
    await put(leaf.cert, leaf.key)
    expect(await loadOrCreateServingCertificate(request)).to.deep.equal({
      ...leaf,
      ca: undefined,
      caKey: undefined,
      notAfter: clock.now() + 365 * 24 * 60 * 60 * 1000,
      warnings: [],
    })
  })

  it('makes clients trust it if it is self-signed', async () => {
    await put(leaf.cert + authority.cert, leaf.key)
    expect((await loadOrCreateServingCertificate(request)).ca).to.equal(authority.cert)
  })

  it('is served with a warning when expired or not yet valid', async () => {
    await put(leaf.cert, leaf.key)
    const warningsAt = async (time: number) =>
      (await loadOrCreateServingCertificate({ ...request, clock: new FakeClock(time) })).warnings
    const file = join(folder, 'tls.crt')
    expect(await warningsAt(Date.UTC(2027, 5, 1))).to.deep.equal([
      `the certificate in ${file} expired at 2027-01-01T00:00:00Z`,
    ])
    expect(await warningsAt(Date.UTC(2025, 5, 1))).to.deep.equal([
      `the certificate in ${file} is not valid before 2025-12-31T23:55:00Z`,
    ])
  })

  it('is read again when renewed', async () => {
    await put(leaf.cert, leaf.key)
    const first = await loadOrCreateServingCertificate(request)
    expect(await renewServingCertificate(first, request)).to.equal(first)
    const other = await issueLeaf(authority, ['localhost'], { clock, random })
    await put(other.cert, other.key)
    expect(await renewServingCertificate(first, request)).to.include(other)
  })

  const refusals: { name: string; cert?: () => string; key?: () => string; want: string }[] = [
    {
      name: 'a certificate file that is not there',
      key: () => leaf.key,
      want: 'cannot read the certificate file DIR/tls.crt: it does not exist',
    },
    {
      name: 'a private key file that is not there',
      cert: () => leaf.cert,
      want: 'cannot read the private key file DIR/tls.key: it does not exist',
    },
    {
      name: 'something else than a certificate',
      cert: () => leaf.key,
      key: () => leaf.key,
      want: 'DIR/tls.crt is not a certificate in PEM form',
    },
    {
      name: 'something else than a key',
      cert: () => leaf.cert,
      key: () => leaf.cert,
      want: 'DIR/tls.key is not a private key in PEM form',
    },
    {
      name: 'an encrypted key',
      cert: () => leaf.cert,
      key: () => encryptedKey,
      want: 'DIR/tls.key is encrypted, and must not be',
    },
    {
      name: 'a key of another certificate',
      cert: () => leaf.cert,
      key: () => authority.key,
      want: 'DIR/tls.key is not the private key of the first certificate in DIR/tls.crt',
    },
  ]
  for (const { name, cert, key, want } of refusals) {
    it(`is refused: ${name}`, async () => {
      await put(cert?.(), key?.())
      const error: unknown = await loadOrCreateServingCertificate(request).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).to.have.property('name', 'StartError')
      expect(error).to.have.property('message', want.replaceAll('DIR', folder))
    })
  }
})
