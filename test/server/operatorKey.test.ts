import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { startServer } from '../../apiserver/server.ts'
import type {
  GivenServerOptions,
  RunningServer,
} from '../../apiserver/runtime/options/serverOptions.ts'
import { clientOf, management, users } from '../endpoints/support/testServer.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'

const keys = `${management}/ownedaccesskeys`
const raw = Buffer.from('auth: { accessKeyMaxTTLSeconds: 60 }').toString('base64')

describe("the operator's key", () => {
  let folder: string
  let clock: FakeClock
  let running: RunningServer | undefined

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'operator-'))
    clock = new FakeClock()
  })
  afterEach(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })

  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  const start = async (options: GivenServerOptions = {}) => {
    await stop()
    const common = { securePort: 0, insecurePort: 0, logLevel: 'silent' } as const
    const dataDir = join(folder, 'data')
    const kubeconfigOut = join(folder, 'kubeconfig')
    running = await startServer({ ...common, dataDir, kubeconfigOut, ...options }, { clock })
    return running
  }
  const admin = (server: RunningServer, key?: string) => clientOf(server, key)
  /** Key in the written kubeconfig. */
  const written = async () =>
    /token: "([^"]+)"/.exec(await readFile(join(folder, 'kubeconfig'), 'utf8'))?.[1] ?? ''
  /** Rights of the key in the kubeconfig. */
  const power = async (server: RunningServer, key?: string) => {
    const client = admin(server, key ?? (await written()))
    const self = await client.post(`${management}/selves`, {})
    const made = await client.post(`${users}?dryRun=All`, {
      metadata: { name: 'x' },
      spec: { groups: ['system:masters'] },
    })
    return [self.status, made.status]
  }
  const all = [201, 201]
  const none = [401, 401]
  const limit = (server: RunningServer) =>
    admin(server).post(`${management}/configs`, { metadata: { name: 'config' }, spec: { raw } })

  for (const given of [{}, { adminAccessKey: 'given-by-the-operator' }]) {
    const what =
      'adminAccessKey' in given ? 'a key that is given' : 'the kubeconfig that is written'

    it(`outlives accessKeyMaxTTLSeconds: ${what}`, async () => {
      const server = await start(given)
      await limit(server)
      await admin(server).post(keys, {
        metadata: { name: 'other' },
        spec: { user: 'admin', key: 'other' },
      })
      clock.advance(120_000)
      expect(await power(server)).to.deep.equal(all)
      expect(await power(server, 'other')).to.deep.equal(none)
      expect((await admin(server).get(`${keys}/admin`)).status).to.equal(200)
      expect(await power(await start(given))).to.deep.equal(all)
    })

    it(`works for any state of its user: ${what}`, async () => {
      const server = await start(given)
      const { status } = await admin(server).patch(`${users}/admin`, 'merge-patch+json', {
        spec: { groups: null, disabled: true },
      })
      expect(status).to.equal(200)
      expect(await power(server)).to.deep.equal(all)
      await admin(server).delete(`${users}/admin`)
      expect(await power(await start(given))).to.deep.equal(all)
    })

    for (const end of ['deleted', 'disabled']) {
      it(`works after the next start if its object was ${end}: ${what}`, async () => {
        const server = await start(given)
        const before = await written()
        const client = admin(server)
        if (end === 'deleted') await client.delete(`${keys}/admin`)
        else await client.patch(`${keys}/admin`, 'merge-patch+json', { spec: { disabled: true } })
        const isGiven = 'adminAccessKey' in given
        expect(await power(server, before)).to.deep.equal(isGiven ? all : none)
        const next = await start(given)
        expect(await power(next)).to.deep.equal(all)
        // A key that was not configured is invalid permanently.
        expect(await power(next, before)).to.deep.equal(isGiven ? all : none)
      })
    }
  }

  it('does not replace a key set over the API', async () => {
    const server = await start()
    await admin(server).post(`${management}/resetaccesskeys`, {
      metadata: { name: 'admin' },
      spec: { key: 'set-over-the-api' },
    })
    const next = await start()
    expect([await power(next), await power(next, 'set-over-the-api')]).to.deep.equal([all, all])
    expect(await power(await start())).to.deep.equal(all)
  })

  it('is invalid once another is given, or after a start without it if it was revoked', async () => {
    await start({ adminAccessKey: 'first' })
    const server = await start({ adminAccessKey: 'second' })
    expect([await power(server, 'first'), await power(server, 'second')]).to.deep.equal([none, all])
    await admin(server).delete(`${keys}/admin`)
    const next = await start()
    expect([await power(next, 'second'), await power(next)]).to.deep.equal([none, all])
  })
})
