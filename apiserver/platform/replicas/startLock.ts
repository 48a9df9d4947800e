import type { Clock } from '../../meta/clock.ts'
import { StorageError } from '../../storage/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import { serverPrefix } from './serverKeys.ts'

const key = `${serverPrefix}core/starting/server`
const askMs = 100
/** Time after which a start counts as crashed; it normally takes a few seconds. */
const patienceMs = 20_000

/**
 * Runs the part of a start that creates the first objects and keys; servers that share a storage run it in sequence.
 */
export async function withStartLock<T>(
  storage: Storage,
  clock: Clock,
  work: () => Promise<T>,
): Promise<T> {
  if (!storage.isShared) return work()
  const held = await lock(storage, clock)
  try {
    return await work()
  } finally {
    await storage.delete(key, held).catch(ignoreLost)
  }
}

/** Acquires the lock and returns its revision. */
async function lock(storage: Storage, clock: Clock): Promise<number> {
  let seen = { revision: 0, at: clock.now() }
  for (;;) {
    try {
      const { revision } = await storage.create(key, { before: '{"revision":"', after: '"}\n' })
      return revision
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'KeyExists') throw error
    }
    const { revision } = storage.newest(key) ?? { revision: 0 }
    if (revision !== seen.revision) seen = { revision, at: clock.now() }
    else if (revision > 0 && clock.now() - seen.at > patienceMs)
      await storage.delete(key, revision).catch(ignoreLost)
    await new Promise<void>((resolve) => clock.setTimer(resolve, askMs))
  }
}

/** Ignores that another server was faster. */
function ignoreLost(error: unknown): void {
  const codes = ['KeyNotFound', 'RevisionConflict']
  if (!(error instanceof StorageError) || !codes.includes(error.code)) throw error
}
