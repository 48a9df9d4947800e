import { LevelStorage } from '../../../apiserver/storage/level/levelStorage.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

/**
 * Runs as a process: holds the storage in the folder of its argument until its parent releases it.
 */
const storage = await LevelStorage.open({ location: process.argv[2], clock: new FakeClock() })
await storage.create('/held', { before: '', after: '' })
process.send?.('open')
process.once('disconnect', () => void storage.close())
