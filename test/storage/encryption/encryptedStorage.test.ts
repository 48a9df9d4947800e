import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { realClock } from '../../../apiserver/runtime/realClock.ts'
import { writeBackup } from '../../../apiserver/storage/backup/writeBackup.ts'
import { readBackup } from '../../../apiserver/storage/backup/readBackup.ts'
import type { Sealing } from '../../../apiserver/storage/encryption/sealing.ts'
import { resealObjects } from '../../../apiserver/storage/etcd/resealObjects.ts'
import { EtcdStorage } from '../../../apiserver/storage/etcd/etcdStorage.ts'
import { withFolderState } from '../../../apiserver/storage/level/folder/folderState.ts'
import { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { resealFolder } from '../../../apiserver/storage/level/folder/resealFolder.ts'
import type { Storage } from '../../../apiserver/storage/storage.ts'
import { describeWithEtcd, EtcdServer } from '../../support/etcd/etcdServer.ts'
import { encryptionOf, filesWith, identity, keyed, kms } from './setUp.ts'
import { KmsPlugin } from './kmsPlugin.ts'

const word = 'correct-horse-battery'
const key = '/management/core/secrets/default/a'
const open = '/management/core/configmaps/default/a'
const template = (text: string) => ({ before: `{"rv":"`, after: `","data":"${text}"}\n` })

let folder: string
function withFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'encrypted-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
}

const gcm = (name: string, byte: number) => keyed('aesgcm', name, byte)

/**
 * Writes, changes and deletes Secrets, and compacts a part of the log, so that log, checkpoint and
 * history contain values.
 */
async function fill(storage: Storage): Promise<number> {
  const first = await storage.create(key, template(`${word}-1`))
  await storage.create(open, template('in-clear'))
  const gone = await storage.create(`${key}-gone`, template(`${word}-gone`))
  await storage.delete(gone.key, gone.revision)
  for (let count = 0; count < 50; count++) await storage.create(`${key}-${count}`, template(word))
  await storage.compact(first.revision + 10)
  const { revision } = await storage.update(key, template(`${word}-2`), first.revision)
  return revision
}

const textAt = async (storage: Storage, revision?: number) =>
  (await storage.get(key, revision === undefined ? {} : { revision }))?.value.toString()

const messageOf = async (opening: Promise<Storage>): Promise<string> => {
  try {
    await (await opening).close()
    return 'it opens'
  } catch (error) {
    return (error as Error).message
  }
}

describe('A data folder with encryption', () => {
  withFolder()

  const at = () => join(folder, 'data')
  const openLevel = (sealing?: Sealing) =>
    LevelStorage.open({ location: at(), clock: realClock, ...(sealing && { sealing }) })

  async function filled(sealing?: Sealing): Promise<number> {
    const storage = await openLevel(sealing)
    const revision = await fill(storage)
    await storage.close()
    return revision
  }

  it('has no Secret in clear in any file, and serves present and past after a restart', async () => {
    const sealing = await encryptionOf(folder, [gcm('key1', 1)])
    const revision = await filled(sealing)
    expect(await filesWith(folder, word)).to.deep.equal([])
    expect((await filesWith(folder, 'in-clear')).length).to.be.greaterThan(0)
    const storage = await openLevel(sealing)
    expect(await textAt(storage)).to.equal(`{"rv":"${revision}","data":"${word}-2"}\n`)
    expect(await textAt(storage, revision - 1)).to.equal(`{"rv":"1","data":"${word}-1"}\n`)
    const { changes } = await storage.changes('/', revision - 1, 10)
    expect(changes.map(({ previous }) => previous?.value.toString())).to.deep.equal([
      `{"rv":"1","data":"${word}-1"}\n`,
    ])
    const { items } = await storage.list({ prefix: `${key}-` }, { revision: revision - 1 })
    expect(items.every(({ value }) => value.includes(word))).to.equal(true)
    await storage.close()
    expect(await filesWith(folder, word)).to.deep.equal([])
  })

  it('is refused without the key, naming it, and is left unchanged', async () => {
    const sealing = await encryptionOf(folder, [gcm('key1', 1)])
    await filled(sealing)
    const named = `${key} is encrypted by aesgcm with the key "key1"`
    expect(await messageOf(openLevel())).to.equal(
      `${named}: start with the --encryption-provider-config that has it`,
    )
    const other = await encryptionOf(folder, [gcm('key2', 1), identity])
    expect(await messageOf(openLevel(other))).to.match(new RegExp(`^${named}, but cannot`))
    expect(await messageOf(openLevel(sealing))).to.equal('it opens')
  })

  it('rewrites equal bytes under the newest key', async () => {
    const revision = await filled(await encryptionOf(folder, [gcm('old', 1)]))
    const both = await encryptionOf(folder, [gcm('new', 2), gcm('old', 1)])
    const storage = await openLevel(both)
    expect([await storage.isStale(key), await storage.isStale(open)]).to.deep.equal([true, false])
    const { revision: next } = await storage.update(key, template(`${word}-2`), revision)
    expect([await storage.isStale(key), next > revision]).to.deep.equal([false, true])
    await storage.close()
  })

  const changes = [
    { name: 'encrypts what was in clear', from: [identity], to: [gcm('new', 2)], isClear: false },
    { name: 'replaces a key', from: [gcm('old', 1)], to: [gcm('new', 2)], isClear: false },
    { name: 'decrypts', from: [gcm('old', 1)], to: [identity], isClear: true },
  ]
  for (const { name, from, to, isClear } of changes) {
    it(`${name} by storage migrate, leaving nothing of the previous state in any file`, async () => {
      const revision = await filled(await encryptionOf(folder, from))
      const sealing = await encryptionOf(folder, [...to, ...from])
      const resealed = await resealFolder(at(), { identity: {}, sealing, clock: realClock })
      expect(resealed).to.deep.equal({ rewritten: 51, objects: 52 })
      const alone = await openLevel(await encryptionOf(folder, to))
      expect(await textAt(alone)).to.equal(`{"rv":"${revision}","data":"${word}-2"}\n`)
      expect([alone.revision, alone.compactedRevision]).to.deep.equal([revision, revision])
      await alone.close()
      expect((await filesWith(at(), word)).length > 0).to.equal(isClear)
      expect(await filesWith(at(), `:old:`)).to.deep.equal([])
      const again = await resealFolder(at(), { identity: {}, sealing, clock: realClock })
      expect(again.rewritten).to.equal(0)
    })
  }

  it('is backed up encrypted, from the folder without a key, and from memory', async () => {
    const sealing = await encryptionOf(folder, [gcm('key1', 1)])
    await filled(sealing)
    const pieces: Buffer[] = []
    await withFolderState(at(), async (state) => {
      const meta = { serverVersion: '1', createdMs: 0, files: [] }
      for await (const piece of writeBackup({ ...state, ...meta })) pieces.push(piece)
    })
    const storage = await openLevel(sealing)
    const { items: objects, revision } = await storage.list({ prefix: '' })
    const rest = { serverVersion: '1', createdMs: 0, files: [], identity: {}, sealing }
    const live: Buffer[] = []
    for await (const piece of writeBackup({ objects, revision, ...rest })) live.push(piece)
    await storage.close()
    for (const backup of [pieces, live]) {
      let values = 0
      for await (const part of readBackup(bytes(backup), 'it')) {
        if (!('objects' in part)) continue
        for (const one of part.objects) {
          values++
          expect(one.value.includes(word)).to.equal(false)
          expect(
            sealing.open(one.key, one.value).includes(one.key === open ? 'in-clear' : word),
          ).to.equal(true)
        }
      }
      expect(values).to.equal(52)
    }
  })

  it('opens with a KMS, whose key is fetched once', async () => {
    const plugin = await KmsPlugin.start(join(folder, 'kms.sock'))
    try {
      const first = await encryptionOf(folder, [kms('vault', plugin.endpoint)])
      const revision = await filled(first)
      first.stop()
      expect(await filesWith(at(), word)).to.deep.equal([])
      const second = await encryptionOf(folder, [kms('vault', plugin.endpoint)])
      const storage = await openLevel(second)
      expect(await textAt(storage)).to.equal(`{"rv":"${revision}","data":"${word}-2"}\n`)
      expect(await textAt(storage, revision - 1)).to.equal(`{"rv":"1","data":"${word}-1"}\n`)
      expect(plugin.decrypted).to.equal(1)
      await storage.close()
      second.stop()
    } finally {
      plugin.stop()
    }
  })
})

async function* bytes(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

describeWithEtcd('An etcd with encryption', (binary) => {
  withFolder()

  let etcd: EtcdServer
  beforeEach(async () => {
    etcd = await EtcdServer.start(binary)
  })
  afterEach(() => etcd.remove())
  const access = () => ({ endpoints: [etcd.endpoint], credentials: {} })
  const openEtcd = (sealing?: Sealing) =>
    EtcdStorage.open({
      ...{ access: access(), prefix: '/test', clock: realClock },
      ...(sealing && { sealing }),
    })

  it('has no Secret in clear in its files, and is refused without the key', async () => {
    const plugin = await KmsPlugin.start(join(folder, 'kms.sock'))
    const sealing = await encryptionOf(folder, [kms('vault', plugin.endpoint)])
    const second = await encryptionOf(folder, [kms('vault', plugin.endpoint)])
    try {
      const [storage, other] = [await openEtcd(sealing), await openEtcd(second)]
      const revision = await fill(storage)
      await other.reachNewest()
      expect(await textAt(other)).to.equal(`{"rv":"${revision}","data":"${word}-2"}\n`)
      const first = await textAt(other, revision - 1)
      expect(first).to.match(new RegExp(`^{"rv":"\\d+","data":"${word}-1"}`))
      const { changes } = await other.changes('/', revision - 1, 10)
      expect(changes.map(({ previous }) => previous?.value.toString())).to.deep.equal([first])
      await Promise.all([storage.close(), other.close()])
      expect(await filesWith(etcd.dataDir, word)).to.deep.equal([])
      expect(await messageOf(openEtcd())).to.equal(
        `${key} is encrypted by kms with the provider "vault": start with the --encryption-provider-config that has it`,
      )
    } finally {
      for (const one of [sealing, second]) one.stop()
      plugin.stop()
    }
  })

  it('gets a new key by storage migrate while a server runs', async () => {
    const both = await encryptionOf(folder, [gcm('new', 2), gcm('old', 1)])
    const before = await openEtcd(await encryptionOf(folder, [gcm('old', 1)]))
    await fill(before)
    await before.close()
    const running = await openEtcd(both)
    const around = {
      access: access(),
      prefix: '/test',
      identity: {},
      sealing: both,
      clock: realClock,
    }
    expect(await resealObjects(around)).to.deep.equal({ rewritten: 51, objects: 52 })
    expect((await resealObjects(around)).rewritten).to.equal(0)
    await running.reachNewest()
    expect(await running.isStale(key)).to.equal(false)
    expect(await textAt(running)).to.match(new RegExp(`"data":"${word}-2"`))
    await running.close()
    const alone = await openEtcd(await encryptionOf(folder, [gcm('new', 2)]))
    expect(await textAt(alone)).to.match(new RegExp(`"data":"${word}-2"`))
    await alone.close()
  })
})
