import { join } from 'node:path'
import { asStored } from '../../encryption/sealing.ts'
import { StorageError } from '../../errors.ts'
import type { StoredValue } from '../../storage.ts'
import { readAcknowledged } from '../files/acknowledged.ts'
import { readFormatMarker, type FolderIdentity } from '../files/formatMarker.ts'
import { loadImage } from '../image/loadImage.ts'
import { openFolder } from './openFolder.ts'

/** Contents of the data folder of a stopped server. */
export interface FolderState {
  identity: FolderIdentity
  revision: number
  /** Every object, in key order. */
  objects: StoredValue[]
}

/**
 * Reads and verifies a data folder as a start does, holding its lock while `use` runs. Nothing is
 * created in a folder of another kind.
 * @throws StorageError Locked, NewerFormat, OlderFormat, Corrupt, Unavailable.
 */
export async function withFolderState<T>(
  location: string,
  use: (state: FolderState) => Promise<T>,
): Promise<T> {
  const marker = await readFormatMarker(location, {})
  if (marker === undefined)
    throw new StorageError('Unavailable', `${location} is not a data folder: it has no format.json`)
  const { identity, keepsAcknowledged } = marker
  const database = await openFolder(location, identity)
  try {
    const acknowledged = await readAcknowledged(location, keepsAcknowledged)
    const name = `the database in ${join(location, 'db')}/`
    const image = await loadImage(database, {
      ...{ name, markEveryMs: 60_000, acknowledged },
      // Encrypted values are not decrypted: copies need no keys.
      sealing: asStored,
    })
    return await use({
      identity,
      revision: image.revision,
      objects: image.collect({ prefix: '' }, 0),
    })
  } finally {
    await database.close()
  }
}
