import { serviceUnavailable } from '../../meta/statusErrors.ts'
import { StorageError } from '../../storage/errors.ts'
import type { Storage } from '../../storage/storage.ts'

/**
 * Resolves when reads show every previously acknowledged write, by any server; undefined: they already do. @throws
 * StatusError 503.
 */
export function newestState(storage: Storage): Promise<void> | undefined {
  return storage.reachNewest()?.catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    throw serviceUnavailable('storage cannot be read at this time, please try again later.', 1)
  })
}

/** Resolves when a list or watch of a revision can start; without a revision, at the newest state. */
export function newestStateFor(
  storage: Storage,
  revision: number | undefined,
): Promise<void> | undefined {
  return revision === undefined ? newestState(storage) : undefined
}
