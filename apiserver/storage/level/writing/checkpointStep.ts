import { StorageError } from '../../errors.ts'
import type { Database, DiskWrite } from '../format/database.ts'
import { withoutTerm, withTerm } from '../format/digest.ts'
import type { Image } from '../image/image.ts'
import * as records from '../format/records.ts'

export interface CheckpointStep {
  /**
   * The objects at the new checkpoint, the mark, and the removal of the oldest log records: to be written as one batch.
   */
  writes: DiskWrite[]
  mark: records.Mark
}

interface MovedLog {
  /** Moved values by key. */
  moved: Map<string, Moved>
  /** The keys of the records. */
  logKeys: string[]
  /** The chain after the last record. */
  chain: number
}

interface Moved {
  /** Revision in the checkpoint now; 0: absent. */
  before: number
  revision: number
  value: Buffer | undefined
}

/** Computes the writes that move the checkpoint to `through`, the end of a log record. @throws StorageError Corrupt. */
export async function checkpointStep(
  database: Database,
  image: Image,
  through: number,
): Promise<CheckpointStep> {
  const { moved, logKeys, chain } = await movedLog(database, image, through)
  const { compacted } = image.mark
  let { digest } = image.mark
  const writes: DiskWrite[] = []
  for (const [name, { before, revision, value }] of moved) {
    const key = records.checkpointPrefix + name
    if (before > 0) digest = withoutTerm(digest, name, before)
    if (value !== undefined) {
      digest = withTerm(digest, name, revision)
      const record = records.encodeObject({ key: name, revision, value })
      writes.push({ type: 'put', key, value: record })
    } else if (before > 0) writes.push({ type: 'del', key })
  }
  for (const key of logKeys) writes.push({ type: 'del', key })
  const mark = { checkpoint: through, compacted, digest, chain }
  writes.push({ type: 'put', key: records.markKey, value: records.encodeMark(mark) })
  return { writes, mark }
}

/** The last write of each key between the checkpoint and `through`. */
async function movedLog(
  database: Database,
  { history, mark }: Image,
  through: number,
): Promise<MovedLog> {
  const firsts = history.recordsThrough(through)
  const logKeys = firsts.map(records.logKey)
  const fetched = await database.getMany(logKeys)
  let chain = mark.chain ?? 0
  const moved = new Map<string, Moved>()
  firsts.forEach((first, index) => {
    const record = fetched[index]
    const log = record && records.decodeLog(record)
    if (record === undefined || log === undefined) {
      throw new StorageError('Corrupt', `the storage is damaged: log record ${first} is missing`)
    }
    chain = records.chained(chain, record)
    log.writes.forEach(({ key, value }, at) => {
      const revision = first + at
      const before = moved.get(key)?.before ?? history.previous(revision)
      moved.set(key, { before, revision, value })
    })
  })
  return { moved, logKeys, chain }
}
