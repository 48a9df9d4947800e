import { cpSync, rmSync } from 'node:fs'
import { expect } from 'chai'
import { StorageError } from '../../../apiserver/storage/errors.ts'
import type { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { fileDamages, fileExchanges, type FileDamage } from '../../support/fileDamage.ts'
import { show, template } from '../values.ts'
import { DiskFolder } from './diskFolder.ts'

/** Folder of a stopped server, and its content. */
interface Stopped {
  folder: DiskFolder
  revision: number
  objects: string[]
}

const rounds = 4
const identity = { 'names.domain': 'example.com' }
/**
 * Files without data, which may be missing or damaged: LevelDB's info log, its lock, and caches.
 */
const isNotData = /LOG(\.old)?$|LOCK$|db\.files\.json$/

describe('A data folder with a damaged file', () => {
  let location: DiskFolder
  let clean: Stopped
  let killed: Stopped
  /** The same folder before its last writes. */
  let earlier: DiskFolder
  /** Another folder with the same number and size of writes. */
  let foreign: DiskFolder

  before(async function () {
    // Twelve opened and closed databases; a slow disk takes its time for each.
    this.timeout(60_000)
    ;[location, foreign] = [await DiskFolder.make(), await DiskFolder.make()]
    for (let round = 0; round < rounds; round++) {
      for (const folder of [location, foreign]) await (await fill(folder, round)).close()
    }
    earlier = await location.crashImage()
    const storage = await fill(location, rounds)
    killed = { folder: await location.crashImage(), ...(await contents(storage)) }
    await storage.close()
    clean = { folder: location, ...(await contents(await location.open({ identity }))) }
    await clean.folder.close()
    await (await fill(foreign, rounds)).close()
  })
  after(async () => {
    for (const folder of [clean.folder, killed.folder, earlier, foreign]) await folder.remove()
  })

  const stops = [
    { name: 'after a clean stop', stopped: () => clean },
    { name: 'after the process was killed', stopped: () => killed },
  ]
  for (const { name, stopped } of stops) {
    it(`loses nothing silently and reuses no revision, ${name}`, async () => {
      const { folder } = stopped()
      const damages = [
        ...fileDamages({ folder: folder.location, places: 3, wanted: () => true }),
        ...fileExchanges(folder.location, earlier.location, 'an older copy'),
        ...fileExchanges(folder.location, foreign.location, 'the file of another folder'),
      ]
      expect(damages.length).to.be.above(80)
      const wrong: string[] = []
      for (const damage of damages) wrong.push(...(await faultsAfter(damage, stopped())))
      expect(wrong).to.deep.equal([])
    }).timeout(120_000)
  }

  it('refuses a damaged table that would crash the process', async () => {
    const damages = fileDamages({
      folder: clean.folder.location,
      places: 9,
      wanted: (file) => file.endsWith('.ldb'),
    })
    const messages = new Set<string>()
    for (const damage of damages) {
      const image = await clean.folder.crashImage()
      damage.apply(image.location)
      const error = await image.open({ identity }).catch((thrown: unknown) => thrown)
      messages.add(error instanceof StorageError ? error.code : String(error))
      await image.remove()
    }
    expect([...messages]).to.deep.equal(['Corrupt'])
  }).timeout(60_000)

  it('after an accepted loss, keeps the damaged database and returns Compacted for older revisions', async () => {
    const image = await killed.folder.crashImage()
    rmSync(await image.log())
    const reason = await image.open({ identity }).catch((thrown: unknown) => thrown)
    const storage = await image.open({ identity, acceptDataLoss: true })
    const { dataLoss, revision } = storage
    expect(revision).to.be.above(killed.revision + 1_000_000)
    expect(dataLoss).to.deep.equal({
      reason: reason instanceof Error ? reason.message : '',
      lost: [`revisions ${killed.revision - 2} to ${killed.revision}`],
      objects: 12,
      revision,
      kept: image.path('db.damaged-1'),
    })
    const old = await storage.changes('', killed.revision, 1).catch((thrown: unknown) => thrown)
    expect(old instanceof StorageError && old.code).to.equal('Compacted')
    expect((await storage.create('/new', template('new'))).revision).to.equal(revision + 1)
    await image.close()
    const again = await image.open({ identity, acceptDataLoss: true })
    expect([again.dataLoss, again.revision]).to.deep.equal([undefined, revision + 1])
    await image.remove()
  })

  it('reports which revisions are lost if the beginning of the log is damaged', async () => {
    const image = await DiskFolder.make()
    const first = await image.open({ identity })
    for (let i = 0; i < 12; i++) await first.create(`/k/${i}`, text(image, `v${i}`))
    await image.close()
    await (await image.open({ identity })).close()
    await image.corrupt(image.path('db', '000005.ldb'), 100)
    const { dataLoss } = await image.open({ identity, acceptDataLoss: true })
    const { lost = [], objects = 0 } = dataLoss ?? {}
    expect(lost).to.deep.equal([`revisions 1 to ${12 - objects}`])
    expect(objects).to.be.within(1, 11)
    await image.remove()
  })

  it('completes an accepted loss that was interrupted between two renames', async () => {
    const image = await killed.folder.crashImage()
    cpSync(image.path('db'), image.path('db.damaged-1'), { recursive: true })
    rmSync(image.path('db'), { recursive: true })
    const storage = await image.open({ identity, acceptDataLoss: true })
    expect((await storage.list({ prefix: '' })).items.map(show)).to.deep.equal(killed.objects)
    await image.remove()
  })

  async function faultsAfter(damage: FileDamage, stopped: Stopped): Promise<string[]> {
    const image = await stopped.folder.crashImage()
    damage.apply(image.location)
    const before = `${damage.file}, ${damage.what}`
    try {
      const faults = await faultsOfStart(image, stopped, damage)
      return faults.map((fault) => `${before}: ${fault}`)
    } finally {
      await image.remove()
    }
  }
})

async function faultsOfStart(
  image: DiskFolder,
  stopped: Stopped,
  damage: FileDamage,
): Promise<string[]> {
  const opened = await image.open({ identity }).catch((error: unknown) => error as Error)
  if (!(opened instanceof Error)) return faultsOfState(opened, stopped)
  if (!(opened instanceof StorageError)) return [String(opened)]
  if (isNotData.test(damage.file) && !damage.isExchange) return [`refused: ${opened.message}`]
  if (['NewerFormat', 'OtherIdentity', 'OlderFormat'].includes(opened.code)) return []
  if (opened.code !== 'Corrupt') return [`refused with ${opened.code}: ${opened.message}`]
  return faultsOfAccepted(image, stopped)
}

async function faultsOfState(
  storage: LevelStorage,
  { revision, objects }: Stopped,
): Promise<string[]> {
  const found = await contents(storage)
  const faults: string[] = []
  if (found.revision < revision) faults.push(`ends at ${found.revision}, not ${revision}`)
  if (found.objects.join() !== objects.join()) faults.push('other objects')
  return faults
}

async function faultsOfAccepted(image: DiskFolder, stopped: Stopped): Promise<string[]> {
  const storage = await image.open({ identity, acceptDataLoss: true })
  const { revision } = await storage.create('/after', template('new'))
  return revision > stopped.revision + 1_000_000 ? [] : [`revision ${revision} is used again`]
}

/** Twelve objects; each round updates, deletes and creates some. */
async function fill(folder: DiskFolder, round: number): Promise<LevelStorage> {
  const storage = await folder.open({ identity })
  if (round === 0) {
    for (let i = 0; i < 12; i++) await storage.create(`/k/${i}`, text(folder, `v${i}`))
  } else {
    await update(storage, `/k/${round}`, text(folder, `round ${round}`))
    const gone = `/k/${round + 6}`
    await storage.delete(gone, storage.newest(gone)?.revision ?? 0)
    await storage.create(gone, text(folder, `again ${round}`))
  }
  if (round === 2) await storage.compact(storage.revision - 2)
  return storage
}

async function update(storage: LevelStorage, key: string, value: ReturnType<typeof template>) {
  await storage.update(key, value, storage.newest(key)?.revision ?? 0)
}

/** Content that needs several blocks; a different string of the same length in every folder. */
function text(folder: DiskFolder, what: string) {
  return template(`${folder.location.slice(-6)} ${what} `.padEnd(3000, 'x'))
}

async function contents(storage: LevelStorage): Promise<Omit<Stopped, 'folder'>> {
  const { items, revision } = await storage.list({ prefix: '' })
  return { revision, objects: items.map(show) }
}
