import { join } from 'node:path'
import type { Clock } from '../../../meta/clock.ts'
import type { Sealing } from '../../encryption/sealing.ts'
import { StorageError } from '../../errors.ts'
import { readAcknowledged } from '../files/acknowledged.ts'
import { Compactor } from '../writing/compactor.ts'
import { afterSlash, type Database, type DiskWrite } from '../format/database.ts'
import { readFormatMarker, type FolderIdentity } from '../files/formatMarker.ts'
import { leftoverLog, loadImage } from '../image/loadImage.ts'
import { openFolder } from './openFolder.ts'
import * as records from '../format/records.ts'

export interface Resealed {
  /** Number of rewritten objects. */
  rewritten: number
  /** Number of all objects. */
  objects: number
}

/**
 * Rewrites every object of a stopped server's folder with the current encryption, and drops the
 * history, so that no file contains bytes of replaced keys or unencrypted values. Revisions are
 * kept. After a crash the folder opens, and a second run completes it.
 * @throws StorageError Locked, NewerFormat, OlderFormat, OtherIdentity, Corrupt, Sealed,
 * Unavailable.
 */
export async function resealFolder(
  location: string,
  { identity, sealing, clock }: { identity: FolderIdentity; sealing: Sealing; clock: Clock },
): Promise<Resealed> {
  const marker = await readFormatMarker(location, identity)
  if (marker === undefined)
    throw new StorageError('Unavailable', `${location} is not a data folder: it has no format.json`)
  const database = await openFolder(location, identity)
  try {
    const acknowledged = await readAcknowledged(location, marker.keepsAcknowledged)
    const name = `the database in ${join(location, 'db')}/`
    const image = await loadImage(database, { name, markEveryMs: 60_000, sealing, acknowledged })
    let failure: Error | undefined
    const compactor = new Compactor({
      ...{ database, image, clock, retainSeconds: 600, retainRevisions: 0 },
      onFailed: (error) => (failure = error instanceof Error ? error : new Error(String(error))),
    })
    compactor.start(await leftoverLog(database, image.mark.checkpoint))
    await compactor.compact(image.revision)
    await compactor.stop()
    if (failure !== undefined) throw failure
    const rewritten = await resealCheckpoint(database, sealing)
    await database.shrink()
    return { rewritten, objects: image.size }
  } finally {
    await database.close()
  }
}

/** Rewrites the checkpoint. Its digest covers keys and revisions, so values may change. */
async function resealCheckpoint(database: Database, sealing: Sealing): Promise<number> {
  const { checkpointPrefix } = records
  let rewritten = 0
  for await (const page of database.scan({ gte: checkpointPrefix, lte: `o${afterSlash}` })) {
    const writes: DiskWrite[] = []
    for (const [diskKey, record] of page) {
      const key = diskKey.slice(checkpointPrefix.length)
      // Sound: `loadImage` has verified every record and loaded what decrypting it needs.
      const stored = records.decodeObject(key, record)
      if (stored === undefined || !sealing.isStale(key, stored.value)) continue
      const value = sealing.seal(key, sealing.open(key, stored.value))
      writes.push({
        type: 'put',
        key: diskKey,
        value: records.encodeObject({ ...stored, value }),
      })
    }
    if (writes.length > 0) await database.write(writes)
    rewritten += writes.length
  }
  return rewritten
}
