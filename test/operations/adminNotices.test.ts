import { expect } from 'chai'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { RunningServer } from '../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../apiserver/server.ts'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { clientOf, management, openBob } from '../endpoints/support/testServer.ts'
import { authority, type Issued } from '../support/certificates.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { waitUntil } from '../support/waitUntil.ts'

const [hourSeconds, daySeconds] = [3_600, 86_400]

describe('admin notices', function () {
  this.timeout(60_000)

  let folder: string
  let running: RunningServer
  let admin: HttpClient
  let clock: FakeClock
  const lines: string[] = []
  const files = () => ({ cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') })
  const own = `${management}/ownedaccesskeys/admin`
  const noticed = () => lines.filter((line) => line.includes('about to expire')).length
  const setTtl = async (ttl: number) =>
    expect((await admin.patch(own, 'merge-patch+json', { spec: { ttl } })).status).to.equal(200)
  const warningOf = async (client: HttpClient) =>
    (await client.get(`${management}/announcements/none`)).headers['warning']

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notices-'))
    await serveWith(await authority('first'))
    clock = new FakeClock()
    const logTo = { write: (line: string) => void lines.push(line) }
    const { cert, key } = files()
    running = await startServer(
      {
        ...{ storage: 'memory', securePort: 0, insecurePort: 0, logLevel: 'info' },
        ...{ tlsCertFile: cert, tlsPrivateKeyFile: key, kubeconfigOut: join(folder, 'admin') },
      },
      { clock, logTo },
    )
    admin = clientOf(running)
  })
  after(async () => {
    await running.stop()
    await rm(folder, { recursive: true })
  })

  async function serveWith({ cert, key }: Issued): Promise<void> {
    await writeFile(files().key, key)
    await writeFile(files().cert, cert)
  }

  async function trusted(): Promise<string> {
    const document = parse(await readFile(join(folder, 'admin'), 'utf8')) as {
      clusters: { cluster: { 'certificate-authority-data': string } }[]
    }
    const data = document.clusters[0]?.cluster['certificate-authority-data'] ?? ''
    return Buffer.from(data, 'base64').toString().trim()
  }

  it('are not given for a key without expiry', async () => {
    expect([await warningOf(admin), noticed()]).to.deep.equal([undefined, 0])
  })

  it('warn a week before the key expires, in responses and once a day in the log', async () => {
    await setTtl(8 * daySeconds)
    expect([await warningOf(admin), noticed()]).to.deep.equal([undefined, 0])
    clock.advance(daySeconds * 1000 + hourSeconds * 1000)
    expect(await warningOf(admin)).to.match(
      /^299 - "this access key expires at \d{4}-[\d-]+T[\d:]+Z; raise its spec\.ttl"$/,
    )
    await warningOf(admin)
    expect(noticed()).to.equal(1)
    clock.advance(daySeconds * 1000 + hourSeconds * 1000)
    expect(noticed()).to.equal(2)
    expect(lines.join('')).not.to.contain(running.adminAccessKey)
  })

  it('are given to the admin only, and end when the time to live is raised', async () => {
    const bob = await openBob({ admin, running })
    expect(await warningOf(bob)).to.equal(undefined)
    await setTtl(0)
    expect(await warningOf(admin)).to.equal(undefined)
  })

  it('write the kubeconfig again when another certificate is served', async () => {
    const second = await authority('second')
    const before = await trusted()
    await serveWith(second)
    clock.advance(61_000)
    await waitUntil(async () => (await trusted()) !== before)
    expect(await trusted()).to.equal(second.cert.trim())
    expect(lines.join('')).to.contain('serving certificate changed')
  })
})
