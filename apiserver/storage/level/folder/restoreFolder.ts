import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../runtime/files/makeFolder.ts'
import { StartError } from '../../../runtime/startError.ts'
import { syncFolder } from '../../../runtime/files/syncFolder.ts'
import type { StoredValue } from '../../storage.ts'
import { writeAcknowledged } from '../files/acknowledged.ts'
import { buildDatabase } from '../format/buildDatabase.ts'
import { recordFiles } from '../files/recordFiles.ts'
import { writeFormatMarker, type FolderIdentity } from '../files/formatMarker.ts'

export interface FolderToRestore {
  identity: FolderIdentity
  /** The revision at which the folder continues. */
  revision: number
  /** Objects with their revisions. An error ends the restore. */
  batches: AsyncIterable<readonly StoredValue[]>
}

/**
 * Creates a data folder with these objects and no history. The marker that makes it a data folder
 * is written last: a server refuses the folder of an interrupted restore.
 */
export async function restoreFolder(
  location: string,
  { identity, revision, batches }: FolderToRestore,
): Promise<void> {
  await buildDatabase(join(location, 'db'), batches, revision)
  await writeAcknowledged(location, revision, 0)
  await syncFolder(location)
  await writeFormatMarker(location, identity)
  await recordFiles(location)
}

/**
 * Creates a folder for a restore, or accepts an empty one; `lost+found` of a new file system is ignored.
 * @throws StartError if it contains anything else.
 */
export async function emptyFolder(location: string): Promise<void> {
  await makeFolder(location, 0o700)
  const [found] = (await readdir(location)).filter((name) => name !== 'lost+found')
  if (found !== undefined)
    throw new StartError(`${location} is not empty: it holds ${found}; restore into a new folder`)
}
