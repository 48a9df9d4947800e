import { expect } from 'chai'
import { openLevel } from '../../../../apiserver/storage/level/format/database.ts'
import type { LevelStorage } from '../../../../apiserver/storage/level/levelStorage.ts'
import { logKey } from '../../../../apiserver/storage/level/format/records.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'
import { template } from '../../values.ts'
import { DiskFolder } from '../diskFolder.ts'

describe('LevelStorage background compaction', () => {
  let folder: DiskFolder
  let clock: FakeClock
  beforeEach(async () => {
    folder = await DiskFolder.make()
    clock = new FakeClock()
  })
  afterEach(() => folder.remove())

  const create = (storage: LevelStorage, from: number, count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, (_, i) => storage.create(`/k/${from + i}`, template('v'))),
    )
  /** A compaction at 0 does nothing but wait for the one in progress. */
  const compactedAfter = async (storage: LevelStorage, ms: number): Promise<number> => {
    clock.advance(ms)
    await storage.compact(0)
    return storage.compactedRevision
  }
  const recordsOnDisk = async (): Promise<string[]> => {
    const level = await openLevel(folder.path('db'), { createIfMissing: false })
    const keys: string[] = []
    for await (const page of level.scan({ gte: 'l/', lte: 'l0' })) {
      keys.push(...page.map(([key]) => key))
    }
    await level.close()
    return keys
  }

  it('keeps history younger than retainSeconds and drops what is older', async () => {
    const storage = await folder.open({ clock, retainSeconds: 100 })
    await create(storage, 0, 5)
    expect(await compactedAfter(storage, 50_000)).to.equal(0)
    await create(storage, 5, 5)
    expect(await compactedAfter(storage, 49_000)).to.equal(0)
    expect(await compactedAfter(storage, 11_000)).to.equal(5)
    expect(await compactedAfter(storage, 60_000)).to.equal(10)
    await storage.close()
    expect(await recordsOnDisk()).to.deep.equal([])
  })
  it('knows the age of its history after a restart', async () => {
    const first = await folder.open({ clock, retainSeconds: 100 })
    await create(first, 0, 5)
    clock.advance(60_000)
    await create(first, 5, 5)
    await first.close()
    const second = await folder.open({ clock, retainSeconds: 100 })
    expect(await compactedAfter(second, 50_000)).to.equal(5)
  })
  it('keeps history longer when the clock is set back, never shorter', async () => {
    const storage = await folder.open({ clock, retainSeconds: 100 })
    await create(storage, 0, 5)
    clock.jumpTo(clock.now() - 3_600_000)
    await create(storage, 5, 5)
    expect(await compactedAfter(storage, 3_500_000)).to.equal(0)
    expect(await compactedAfter(storage, 300_000)).to.equal(10)
  })
  it('keeps at most about retainRevisions records', async () => {
    const storage = await folder.open({ clock, retainRevisions: 3 })
    for (let i = 0; i < 10; i++) await create(storage, i, 1)
    expect(await compactedAfter(storage, 60_000)).to.equal(7)
    await storage.close()
    expect(await recordsOnDisk()).to.deep.equal([8, 9, 10].map(logKey))
  })
  it('does not wait for the timer when writes exceed the bound', async () => {
    const storage = await folder.open({ clock, retainRevisions: 100 })
    for (let i = 0; i < 3; i++) await create(storage, i * 1000, 1000)
    await create(storage, 3000, 1)
    await storage.compact(0)
    // The bound may be exceeded by 2000, and compaction leaves 100 of the revisions that existed
    // when it started.
    expect(storage.compactedRevision).to.be.at.least(2001)
  })
  it('keeps everything with retainRevisions 0, until it is old', async () => {
    const storage = await folder.open({ clock, retainRevisions: 0 })
    await create(storage, 0, 3000)
    expect(await compactedAfter(storage, 60_000)).to.equal(0)
  })
  it('completes after a restart what a crash interrupted', async () => {
    const first = await folder.open({ clock })
    for (let i = 0; i < 10; i++) await create(first, i, 1)
    await first.compact(6)
    await first.close()
    const level = await openLevel(folder.path('db'), { createIfMissing: false })
    const value = Buffer.from('left over')
    await level.write([4, 5, 6].map((i) => ({ type: 'put', key: logKey(i), value })))
    await level.close()
    const second = await folder.open({ clock })
    expect([second.compactedRevision, second.revision]).to.deep.equal([6, 10])
    await second.compact(0)
    await second.close()
    expect(await recordsOnDisk()).to.deep.equal([7, 8, 9, 10].map(logKey))
  })
  it('leaves no timer after close', async () => {
    const storage = await folder.open({ clock })
    expect(clock.timers).to.equal(2) // of the compaction, and of the sync of what was acknowledged
    await storage.close()
    expect(clock.timers).to.equal(0)
  })
})
