import { expect } from 'chai'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { moveStorage } from '../../apiserver/platform/storage/moveStorage.ts'
import { createLogger } from '../../apiserver/runtime/logging.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { realRandom } from '../../apiserver/runtime/realRandom.ts'
import {
  serverOptions,
  type GivenServerOptions,
} from '../../apiserver/runtime/options/serverOptions.ts'
import { writeBackup } from '../../apiserver/storage/backup/writeBackup.ts'
import { EtcdStorage } from '../../apiserver/storage/etcd/etcdStorage.ts'
import type { StoredValue } from '../../apiserver/storage/storage.ts'
import { openTestServer, type TestServer } from '../endpoints/support/testServer.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const around = {
  clock: realClock,
  random: realRandom,
  log: createLogger({ level: 'silent', clock: realClock }),
}

interface Shown {
  metadata: { name: string; uid: string; resourceVersion: string }
}

describeWithEtcd('migration between LevelDB and etcd', (binary) => {
  let etcd: EtcdServer
  let folder: string
  let count = 0
  before(async () => {
    etcd = await EtcdServer.start(binary)
    folder = await mkdtemp(join(tmpdir(), 'move-'))
  })
  after(async () => {
    await etcd.remove()
    await rm(folder, { recursive: true })
  })

  const optionsOf = (storage: 'level' | 'etcd', name: string, prefix: string, more = {}) =>
    ({
      ...{ storage, dataDir: join(folder, name), ...more },
      etcd: { servers: [etcd.endpoint], prefix },
    }) satisfies GivenServerOptions
  const move = (from: string, to: 'level' | 'etcd', options: GivenServerOptions) =>
    moveStorage({ from, to }, serverOptions(options), around)
  const refusalOf = (work: Promise<string>): Promise<string> =>
    work.then(String, (error: unknown) => (error as Error).message)
  /** Objects with and without their revisions. */
  const contents = async ({ admin }: TestServer) => {
    const kinds = ['configmaps', 'secrets', 'resourcequotas', 'serviceaccounts', 'namespaces']
    const answers = await Promise.all(kinds.map((kind) => admin.get(`/api/v1/${kind}`)))
    const items = answers.flatMap((answer) => answer.field('items') as Shown[])
    const bare = items.map((item) => {
      const { resourceVersion: _, ...metadata } = item.metadata
      return { ...item, metadata }
    })
    return { bare, items }
  }
  const filled = async (options: GivenServerOptions) => {
    const server = await openTestServer(options)
    await server.admin.post('/api/v1/namespaces/default/resourcequotas', {
      metadata: { name: 'q' },
      spec: { hard: { 'count/configmaps': '100' } },
    })
    for (let n = 0; n < 30; n++) {
      // Strings in an object that look like a revision are not revisions.
      const text = `"resourceVersion":"${n}" ä€😀 ${'x'.repeat(n * 300)}`
      const annotations = { a: `{"resourceVersion":"1"}` }
      await server.admin.post(configMaps, {
        metadata: { name: `c${n}`, annotations },
        data: { text },
      })
    }
    await server.admin.delete(`${configMaps}/c7`)
    const quota = '/api/v1/namespaces/default/resourcequotas/q'
    const used = async () => (await server.admin.get(quota)).field('status', 'used')
    // 29 of them, and the config map with the CA certificate.
    await waitUntil(async () => JSON.stringify(await used()) === '{"count/configmaps":"30"}')
    return server
  }

  for (const [name, encryption] of [
    ['in clear', false],
    ['encrypted', true],
  ] as const)
    it(`carries objects and keys to etcd and back, ${name}`, async function () {
      this.timeout(120_000)
      const prefix = `/move-${++count}`
      const file = join(folder, `encryption-${count}.yaml`)
      await writeFile(file, encryptionFile)
      const more = encryption ? { encryptionProviderConfig: file } : {}
      const first = optionsOf('level', `first-${count}`, prefix, more)
      const one = await filled(first)
      const { bare, items } = await contents(one)
      const key = one.running.adminAccessKey
      await one.running.stop()

      const revision = Math.max(...items.map(({ metadata }) => Number(metadata.resourceVersion)))
      expect(await move('level', 'etcd', first)).to.match(/^copied \d+ objects .*; all are equal$/)
      const two = await openTestServer({ ...first, storage: 'etcd' })
      const there = await contents(two)
      expect(there.bare).to.deep.equal(bare)
      const revisions = there.items.map(({ metadata }) => Number(metadata.resourceVersion))
      expect(Math.min(...revisions)).to.be.greaterThan(revision)
      expect(two.running.adminAccessKey).to.equal(key)
      const made = await two.admin.post(configMaps, { metadata: { name: 'made-there' } })
      expect(made.status).to.equal(201)
      const last = await contents(two)
      await two.running.stop()

      const second = optionsOf('level', `second-${count}`, prefix, more)
      expect(await move('etcd', 'level', second)).to.match(/all are equal$/)
      for (const path of ['admin-access-key', 'pki/ca.key', 'pki/ca.crt', 'agent-key-secret']) {
        const read = (options: { dataDir: string }) =>
          readFile(join(options.dataDir, path), 'utf8').catch(() => 'missing')
        expect(await read(second), path).to.equal(await read(first))
      }
      const three = await openTestServer(second)
      expect((await contents(three)).items).to.deep.equal(last.items)
      const written = await three.admin.post(configMaps, { metadata: { name: 'made-here' } })
      expect(Number(written.field('metadata', 'resourceVersion'))).to.be.greaterThan(
        Number(made.field('metadata', 'resourceVersion')),
      )
      const old = await three.admin.get(`${configMaps}?watch=true&resourceVersion=${revision}`)
      expect(old.text).to.contain('"code":410')
      await three.running.stop()
    })

  it('refuses non-empty targets, and leaves them unchanged', async function () {
    this.timeout(60_000)
    const prefix = `/move-${++count}`
    const options = optionsOf('level', `full-${count}`, prefix)
    const server = await filled(options)
    expect(await refusalOf(move('level', 'etcd', options))).to.match(/locked|in use|another/i)
    await server.running.stop()
    await move('level', 'etcd', options)
    expect(await refusalOf(move('level', 'etcd', options))).to.match(
      /^etcd holds keys below \/move-\d+: name an empty --etcd-prefix, or delete them/,
    )
    expect(await refusalOf(move('etcd', 'level', options))).to.match(/is not empty: it holds/)
    const missing = optionsOf('level', 'missing', `/move-${++count}`)
    expect(await refusalOf(move('level', 'etcd', missing))).to.match(/is not a data folder/)
    const again = await openTestServer(options)
    expect((await again.admin.get(`${configMaps}/c3`)).status).to.equal(200)
    await again.running.stop()
  })

  const backup = async (revision: number, objects: StoredValue[]) => {
    const file = join(folder, `backup-${++count}`)
    const identity = {}
    const meta = { serverVersion: '1', createdMs: 0, files: [], identity }
    const pieces: Buffer[] = []
    for await (const piece of writeBackup({ ...meta, revision, objects })) pieces.push(piece)
    await writeFile(file, Buffer.concat(pieces))
    return file
  }
  const object = (revision: number, text = `{"metadata":{"resourceVersion":"${revision}"}}\n`) => [
    { key: '/management/core/configmaps/default/a', revision, value: Buffer.from(text) },
  ]

  it('restores a backup into etcd, beyond its revision', async () => {
    const prefix = `/move-${++count}`
    const options = optionsOf('etcd', 'none', prefix)
    const revision = 20_000
    await move(await backup(revision, object(17)), 'etcd', options)
    const access = { endpoints: [etcd.endpoint], credentials: {} }
    const storage = await EtcdStorage.open({ access, prefix, clock: realClock })
    const [found] = (await storage.list({ prefix: '' })).items
    await storage.close()
    expect(found?.revision).to.be.greaterThan(revision)
    expect(found?.value.toString()).to.equal(
      `{"metadata":{"resourceVersion":"${found?.revision}"}}\n`,
    )
  })

  it('refuses an etcd whose revisions would go back, and says what to do', async () => {
    const options = optionsOf('etcd', 'none', `/move-${++count}`)
    const work = move(await backup(2_000_000_000, object(17)), 'etcd', options)
    expect(await refusalOf(work)).to.match(
      /^etcd is at revision \d+, and the objects are at 2000000000: .* --bump-revision \d+$/,
    )
  })

  it('leaves a prefix that servers refuse if interrupted', async () => {
    const prefix = `/move-${++count}`
    const work = move(await backup(5, object(5, '{}\n')), 'etcd', optionsOf('etcd', 'none', prefix))
    expect(await refusalOf(work)).to.contain('does not contain its revision 5')
    const access = { endpoints: [etcd.endpoint], credentials: {} }
    const opening = EtcdStorage.open({ access, prefix, clock: realClock }).then(() => 'it opens')
    expect(await refusalOf(opening)).to.match(/^a migration to etcd did not end: delete the keys/)
  })
})

const encryptionFile = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, configmaps]
  providers:
  - aesgcm:
      keys: [{name: key1, secret: ${Buffer.alloc(32, 1).toString('base64')}}]
  - identity: {}
`
