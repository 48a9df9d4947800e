import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { firstCertificates } from '../../../apiserver/http/pki/firstCertificates.ts'
import type {
  FirstCertificates,
  IssuingSetup,
} from '../../../apiserver/http/pki/issuingMessages.ts'
import { issuingThreadUrl } from '../../../apiserver/http/pki/issuingThread.ts'
import { loadOrCreateServingCertificate } from '../../../apiserver/http/pki/servingCertificate.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

const hosts = ['localhost', '127.0.0.1']

describe('the certificates of a first start', function () {
  this.timeout(20_000) // the thread reads its modules as sources
  let directory: string
  let issued: FirstCertificates
  const clock = new FakeClock()
  const random = new FakeRandom()

  before(async () => {
    issued = await issuedInThread(clock.now())
  })
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pki-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('are created in a thread, equal to those created elsewhere', () => {
    const leaf = new X509Certificate(issued.leaf.cert)
    const authority = new X509Certificate(issued.authority.cert)
    expect(leaf.verify(authority.publicKey)).to.equal(true)
    expect(leaf.subjectAltName).to.equal('DNS:localhost, IP Address:127.0.0.1')
    expect(leaf.serialNumber).to.not.equal(authority.serialNumber)
    expect(Date.parse(leaf.validFrom)).to.equal(
      Math.floor((clock.now() - 5 * 60 * 1000) / 1000) * 1000,
    )
  })

  it('are stored and served if none exist', async () => {
    const request = { directory, hosts, clock, random, first: Promise.resolve(issued) }
    const served = await loadOrCreateServingCertificate(request)
    expect([served.cert, served.key]).to.deep.equal([issued.leaf.cert, issued.leaf.key])
    expect([served.ca, served.caKey]).to.deep.equal([issued.authority.cert, issued.authority.key])
    expect(await readFile(join(directory, 'serving.crt'), 'utf8')).to.equal(issued.leaf.cert)
    const again = await loadOrCreateServingCertificate({ ...request, first: undefined })
    expect(again).to.deep.equal(served)
  })

  it('are not created if some exist', async () => {
    const there = await loadOrCreateServingCertificate({ directory, hosts, clock, random })
    const request = { directory, hosts, clock, random, first: Promise.resolve(issued) }
    expect(await loadOrCreateServingCertificate(request)).to.deep.equal(there)
    expect(await firstCertificates({ directory, hosts, clock, random })).to.equal(undefined)
  })

  it('are created in place if the thread failed', async () => {
    const first = Promise.resolve(undefined)
    const served = await loadOrCreateServingCertificate({ directory, hosts, clock, random, first })
    expect(new X509Certificate(served.cert).checkHost('localhost')).to.equal('localhost')
  })
})

function issuedInThread(now: number): Promise<FirstCertificates> {
  const randomBytes = Buffer.from(Array.from({ length: 64 }, (_, index) => index))
  const setup: IssuingSetup = { role: 'issuing', hosts, now, randomBytes }
  const url = JSON.stringify(issuingThreadUrl)
  const start = `import('tsx/esm/api').then(({ register }) => { register(); return import(${url}) })`
  return new Promise((resolve, reject) => {
    const worker = new Worker(start, { workerData: setup, eval: true, execArgv: [], env: {} })
    worker.once('message', resolve).once('error', reject)
  })
}
