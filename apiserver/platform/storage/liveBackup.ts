import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import { serverVersion } from '../../runtime/serverVersion.ts'
import { writeBackup } from '../../storage/backup/writeBackup.ts'
import type { BackedUpFile } from '../../storage/backup/backupFormat.ts'
import type { Sealing } from '../../storage/encryption/sealing.ts'
import type { Storage, StoredValue } from '../../storage/storage.ts'
import { serverPrefix } from '../replicas/serverKeys.ts'
import { storedNames } from './storedNames.ts'

export interface BackupSource {
  clock: Clock
  names: NamesProfile
  /** Encryption of the values in the backup; undefined: none. */
  sealing: Sealing | undefined
  /** Files of the data folder to add, given all objects. Default: none, since the API never shows keys. */
  files?: (items: readonly StoredValue[]) => Promise<BackedUpFile[]>
}

/**
 * Creates a backup of a storage in use, at its newest revision. Values in memory never change, so one list of all of
 * them is a snapshot, and writes continue.
 */
export async function liveBackup(
  storage: Storage,
  { clock, names, sealing, files }: BackupSource,
): Promise<AsyncIterable<Buffer>> {
  await storage.reachNewest()
  const { items, revision } = await storage.list({ prefix: '' })
  const objects = storage.isShared
    ? items.filter(({ key }) => !key.startsWith(serverPrefix))
    : items
  return writeBackup({
    serverVersion: serverVersion(),
    revision,
    createdMs: clock.now(),
    identity: storedNames(names),
    objects,
    files: (await files?.(items)) ?? [],
    ...(sealing && { sealing }),
  })
}
