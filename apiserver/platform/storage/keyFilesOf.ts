import { readKeyFiles } from '../../storage/backup/keyFiles.ts'
import type { BackedUpFile } from '../../storage/backup/backupFormat.ts'
import type { StoredValue } from '../../storage/storage.ts'
import { sharedFilesOf } from './sharedFilesOf.ts'

/**
 * Keys and certificates for a backup: the files of the data folder, and the secrets that servers share in their
 * storage, unless they are encrypted in it, since files of a backup are not.
 */
export async function keyFilesOf(
  dataDir: string | undefined,
  items: readonly StoredValue[],
  isEncrypted: boolean,
): Promise<BackedUpFile[]> {
  const own = dataDir === undefined ? [] : await readKeyFiles(dataDir)
  if (isEncrypted) return own
  const paths = new Set(own.map(({ path }) => path))
  const shared = [...sharedFilesOf(items)]
    .filter(([path]) => !paths.has(path))
    .map(([path, content]) => ({ path, content: Buffer.from(content) }))
  return [...own, ...shared]
}
