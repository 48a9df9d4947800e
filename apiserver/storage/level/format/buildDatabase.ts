import { rm } from 'node:fs/promises'
import type { StoredValue } from '../../storage.ts'
import { openLevel } from './database.ts'
import { withTerm } from './digest.ts'
import { checkpointPrefix, encodeMark, encodeObject, markKey } from './records.ts'

const batchObjects = 500

/**
 * Builds a database without history from objects, which keep their revisions. `revision`: the
 * revision at which it continues; every older one counts as compacted. Replaces an existing
 * database. If `batches` ends with an error, the database has no mark, and cannot be opened.
 */
export async function buildDatabase(
  path: string,
  batches: Iterable<readonly StoredValue[]> | AsyncIterable<readonly StoredValue[]>,
  revision: number,
): Promise<void> {
  await rm(path, { recursive: true, force: true })
  const database = await openLevel(path, { createIfMissing: true })
  try {
    let digest = 0
    for await (const batch of batches) {
      for (let at = 0; at < batch.length; at += batchObjects) {
        const some = batch.slice(at, at + batchObjects)
        await database.write(
          some.map((stored) => ({
            type: 'put',
            key: checkpointPrefix + stored.key,
            value: encodeObject(stored),
          })),
        )
      }
      for (const { key, revision: own } of batch) digest = withTerm(digest, key, own)
    }
    const mark = { checkpoint: revision, compacted: revision, digest, chain: 0 }
    await database.write([{ type: 'put', key: markKey, value: encodeMark(mark) }])
  } finally {
    await database.close()
  }
}
