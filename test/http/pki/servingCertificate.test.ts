import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServingCertificate } from '../../../apiserver/http/pki/certificate.ts'
import {
  loadOrCreateServingCertificate,
  renewServingCertificate,
  type CertificateRequest,
} from '../../../apiserver/http/pki/servingCertificate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const dayMs = 24 * 60 * 60 * 1000
const hosts = ['localhost', 'kubernetes.default', '127.0.0.1', '::1']

interface Place {
  name: string
  onDisk: boolean
}

describe('loadOrCreateServingCertificate', () => {
  let folder: string
  let clock: FakeClock
  let request: CertificateRequest

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pki-'))
    clock = new FakeClock(Date.UTC(2026, 0, 1))
    request = { directory: join(folder, 'pki'), hosts, clock, random: new FakeRandom() }
  })
  afterEach(() => rm(folder, { recursive: true }))

  const inFolder = (file: string) => join(folder, 'pki', file)

  it('creates an authority for 10 years and a certificate for 1 year, valid for every host', async () => {
    const made = await loadOrCreateServingCertificate(request)
    const leaf = new X509Certificate(made.cert)
    const authority = new X509Certificate(made.ca ?? '')
    expect(leaf.verify(authority.publicKey)).to.equal(true)
    expect(authority.ca).to.equal(true)
    expect(leaf.subjectAltName).to.equal(
      'DNS:localhost, DNS:kubernetes.default, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(made.notAfter).to.equal(clock.now() + 365 * dayMs)
    expect(Date.parse(authority.validTo)).to.equal(clock.now() + 3650 * dayMs)
    expect(made.warnings).to.deep.equal([])
  })

  it('stores them in files readable by the owner only', async () => {
    await loadOrCreateServingCertificate(request)
    expect((await stat(inFolder(''))).mode & 0o777).to.equal(0o700)
    const names = await readdir(inFolder(''))
    expect(names.sort()).to.deep.equal(['ca.crt', 'ca.key', 'serving.crt', 'serving.key'])
    for (const name of names)
      expect((await stat(inFolder(name))).mode & 0o777, name).to.equal(0o600)
  })

  it('is trusted by a TLS client that knows the authority', async () => {
    const now = new FakeClock(Date.now()) // TLS goes by the real time
    expect(
      await handshake(await loadOrCreateServingCertificate({ ...request, clock: now })),
    ).to.equal(true)
  })

  it('writes no file without a folder', async () => {
    await loadOrCreateServingCertificate({ ...request, directory: undefined })
    expect(await readdir(folder)).to.deep.equal([])
  })

  it("returns the same at the second start, even without the authority's key", async () => {
    const first = await loadOrCreateServingCertificate(request)
    expect(await loadOrCreateServingCertificate(request)).to.deep.equal(first)
    await rm(inFolder('ca.key'))
    expect(await loadOrCreateServingCertificate(request)).to.deep.equal({
      ...first,
      caKey: undefined,
    })
  })

  it('issues a new one for a missing host, by the same authority', async () => {
    const first = await loadOrCreateServingCertificate(request)
    const second = await loadOrCreateServingCertificate({
      ...request,
      hosts: [...hosts, '192.0.2.1'],
    })
    expect(second.ca).to.equal(first.ca)
    expect(new X509Certificate(second.cert).checkIP('192.0.2.1')).to.equal('192.0.2.1')
  })

  for (const file of ['serving.crt', 'serving.key']) {
    for (const text of [undefined, 'damaged']) {
      it(`issues a new one if ${file} is ${text ?? 'missing'}, by the same authority`, async () => {
        const first = await loadOrCreateServingCertificate(request)
        await (text === undefined ? rm(inFolder(file)) : writeFile(inFolder(file), text))
        const second = await loadOrCreateServingCertificate(request)
        expect(second.cert).not.to.equal(first.cert)
        expect(second.ca).to.equal(first.ca)
        expect(await readFile(inFolder('serving.key'), 'utf8')).to.equal(second.key)
      })
    }
  }

  it('issues a new one after a change of authority', async () => {
    const first = await loadOrCreateServingCertificate(request)
    await rm(inFolder('ca.crt'))
    await rm(inFolder('ca.key'))
    const second = await loadOrCreateServingCertificate(request)
    expect(second.ca).not.to.equal(first.ca)
    expect(isSignedBy(second.cert, second.ca)).to.equal(true)
  })

  it("keeps it if the authority's certificate is lost and its key is there", async () => {
    const first = await loadOrCreateServingCertificate(request)
    await rm(inFolder('ca.crt'))
    const second = await loadOrCreateServingCertificate(request)
    expect(second.cert).to.equal(first.cert)
    expect(isSignedBy(first.cert, second.ca)).to.equal(true)
  })

  it('issues a new one if the clock was set back before its start', async () => {
    const first = await loadOrCreateServingCertificate(request)
    clock.jumpTo(clock.now() - dayMs)
    const second = await loadOrCreateServingCertificate(request)
    expect(second.notAfter).to.equal(first.notAfter - dayMs)
  })

  const refusals = [
    {
      name: 'a damaged authority',
      file: 'ca.crt',
      text: 'damaged',
      want: 'DIR/ca.crt is damaged; put it back from a copy, or remove it to have it made again',
    },
    {
      name: 'to sign without the key of the authority',
      file: 'ca.key',
      text: undefined,
      want: 'a certificate has to be signed, and DIR/ca.key is missing',
    },
    {
      name: 'to sign with a key that is not the authority’s',
      file: 'ca.key',
      text: 'damaged',
      want: 'DIR/ca.key is not the key of the ca.crt beside it',
    },
  ]
  for (const { name, file, text, want } of refusals) {
    it(`refuses ${name}`, async () => {
      await loadOrCreateServingCertificate(request)
      await (text === undefined ? rm(inFolder(file)) : writeFile(inFolder(file), text))
      await rm(inFolder('serving.crt'))
      const error: unknown = await loadOrCreateServingCertificate(request).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).to.have.property('name', 'StartError')
      expect(error).to.have.property('message', want.replace('DIR', inFolder('')))
    })
  }

  it('refuses a key that is not the authority’s even if nothing has to be signed', async () => {
    await loadOrCreateServingCertificate(request)
    await writeFile(inFolder('ca.key'), '')
    const error: unknown = await loadOrCreateServingCertificate(request).catch(
      (thrown: unknown) => thrown,
    )
    const want = `${inFolder('ca.key')} is not the key of the ca.crt beside it`
    expect(String(error)).to.equal(`StartError: ${want}`)
  })

  it('names a file that cannot be read', async () => {
    await mkdir(inFolder('serving.key'), { recursive: true })
    const error: unknown = await loadOrCreateServingCertificate(request).catch(
      (thrown: unknown) => thrown,
    )
    const want = `cannot read ${inFolder('serving.key')}: it is a folder`
    expect(String(error)).to.equal(`StartError: ${want}`)
  })

  const places: Place[] = [
    { name: 'on disk', onDisk: true },
    { name: 'in memory', onDisk: false },
  ]
  for (const { name, onDisk } of places) {
    describe(`renewServingCertificate ${name}`, () => {
      beforeEach(() => (request = onDisk ? request : { ...request, directory: undefined }))

      it('returns the same object while nothing is due', async () => {
        const first = await loadOrCreateServingCertificate(request)
        clock.advance(334 * dayMs)
        expect(await renewServingCertificate(first, request)).to.equal(first)
      })

      it('issues a new certificate 30 days before expiry, by the same authority', async () => {
        const first = await loadOrCreateServingCertificate(request)
        clock.advance(336 * dayMs)
        const second = await renewServingCertificate(first, request)
        expect(second.notAfter).to.equal(clock.now() + 365 * dayMs)
        expect(second.ca).to.equal(first.ca)
        expect(await renewServingCertificate(second, request)).to.equal(second)
      })

      it('renews the authority with the same key before its certificates outlive it', async () => {
        const first = await loadOrCreateServingCertificate(request)
        clock.advance(3650 * dayMs - 394 * dayMs)
        const second = await renewServingCertificate(first, request)
        expect(second.caKey).to.equal(first.caKey)
        expect(new X509Certificate(second.ca ?? '').validTo).to.contain('2044') // ten years from then
        expect(isSignedBy(second.cert, first.ca), 'by the old').to.equal(true)
        expect(isSignedBy(second.cert, second.ca), 'by the new').to.equal(true)
      })
    })
  }
})

function isSignedBy(cert: string, ca: string | undefined): boolean {
  return new X509Certificate(cert).verify(new X509Certificate(ca ?? '').publicKey)
}

/** Reports whether a client that trusts only the certificate authority accepts the server. */
async function handshake({ cert, key, ca }: ServingCertificate): Promise<boolean> {
  const server = createServer({ cert, key }, (socket) => socket.end())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await new Promise((resolve, reject) => {
      const socket = connect(
        { port, host: '127.0.0.1', servername: 'kubernetes.default', ca },
        () => {
          resolve(socket.authorized)
          socket.destroy()
        },
      )
      socket.on('error', reject)
    })
  } finally {
    server.close()
  }
}
