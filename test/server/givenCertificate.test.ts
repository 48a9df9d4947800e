import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { startServer } from '../../apiserver/server.ts'
import { authority, certificate, serverUse } from '../support/certificates.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { waitUntil } from '../support/waitUntil.ts'

describe('a certificate that was given', () => {
  it('is reloaded within a minute after its files changed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'given-'))
    const [tlsCertFile, tlsPrivateKeyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
    const issuer = await authority('issuer')
    const put = async (cn: string): Promise<void> => {
      const { cert, key } = await certificate({ cn, uses: [serverUse] }, issuer)
      await Promise.all([writeFile(tlsCertFile, cert), writeFile(tlsPrivateKeyFile, key)])
    }
    await put('first')
    const clock = new FakeClock(Date.now())
    const quiet = { storage: 'memory', logLevel: 'silent', securePort: 0 } as const
    const running = await startServer({ ...quiet, tlsCertFile, tlsPrivateKeyFile }, { clock })
    const served = async (): Promise<unknown> => {
      const { port } = new URL(running.url)
      const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      return CN
    }
    expect(await served()).to.equal('first')
    await put('second')
    expect(await served()).to.equal('first')
    clock.advance(60_000)
    await waitUntil(async () => (await served()) === 'second')
    await running.stop()
    await rm(folder, { recursive: true })
  })
})
