import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'
import { describeStorage } from './storageSuite.ts'

const folders: string[] = []

describeStorage('LevelDB in memory', () =>
  LevelStorage.open({ location: undefined, clock: new FakeClock() }),
)

describeStorage('LevelDB on disk', async () => {
  const location = await mkdtemp(join(tmpdir(), 'storage-'))
  folders.push(location)
  return LevelStorage.open({ location, clock: new FakeClock() })
})

after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))
