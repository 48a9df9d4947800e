import { describeCompaction } from './compactionSuite.ts'
import { describeReads } from './readSuite.ts'
import { describeWatches } from './watchSuite.ts'
import { describeWrites } from './writeSuite.ts'
import type { StorageFeatures } from './predictedRevisions.ts'
import type { Storage } from '../../apiserver/storage/storage.ts'

/**
 * Contract of `storage.ts` as tests, which every implementation runs. `open` returns a new, empty
 * storage, which the suite closes.
 */
export function describeStorage(
  name: string,
  open: () => Promise<Storage>,
  features: StorageFeatures = { predictsRevisions: true },
): void {
  describe(`Storage contract: ${name} (reference 10.5)`, () => {
    let storage: Storage
    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage.close())
    const opened = (): Storage => storage
    describeWrites(opened, features)
    describeReads(opened)
    describeWatches(opened, features)
    describeCompaction(opened)
  })
}
