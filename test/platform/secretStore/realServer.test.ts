import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeyValueOperator } from '../../support/keyValue/keyValueOperator.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import { secretStoreSuite } from './secretStoreSuite.ts'

const variable = 'SECRET_STORE_SERVER'
const binary = process.env[variable]
const title = 'SecretStoreSync with a real server'

if (binary === undefined) {
  describe.skip(`${title} (${variable} does not name the binary of one)`, () => {
    it('is not run', () => undefined)
  })
} else {
  describe(title, () => {
    let server: ChildProcess
    let home = ''
    let address = ''

    before(async function () {
      this.timeout(30_000)
      home = await mkdtemp(join(tmpdir(), 'secret-store-'))
      const listen = `127.0.0.1:${await freePort()}`
      address = `http://${listen}`
      const flags = ['-dev', '-dev-root-token-id=root', '-dev-no-store-token']
      server = spawn(binary, ['server', ...flags, `-dev-listen-address=${listen}`], {
        stdio: 'ignore',
        env: { ...process.env, HOME: home },
      })
      // The engine is mounted a little after the port opens.
      const probe = new KeyValueOperator(address, 'root')
      const answers = () =>
        probe.put('probe', {}).then(
          () => probe.get('probe'),
          () => undefined,
        )
      await waitUntil(async () => (await answers()) !== undefined)
    })

    after(async () => {
      const exit = new Promise((resolve) => server.once('exit', resolve))
      server.kill()
      await exit
      await rm(home, { recursive: true })
    })

    secretStoreSuite(() => new KeyValueOperator(address, 'root'))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
