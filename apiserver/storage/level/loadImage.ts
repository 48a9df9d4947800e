import { StorageError } from '../errors.ts'
import { afterSlash, type Database } from './database.ts'
import { withTerm } from './digest.ts'
import { HistoryIndex } from './historyIndex.ts'
import { Image } from './image.ts'
import * as records from './records.ts'

/** Reads everything and verifies it: every checksum, the digest of the checkpoint, and the log without a gap from there
 *  on. LevelDB skips a damaged part of its log silently, so that it opened proves nothing. `name` is where the database
 *  is, for the messages.
 *  @throws StorageError Corrupt. */
export async function loadImage(
  database: Database,
  name: string,
  markEveryMs: number,
): Promise<Image> {
  try {
    const mark = await readMark(database, name)
    const image = new Image(new HistoryIndex(mark.checkpoint, markEveryMs), mark)
    await readCheckpoint(database, name, image)
    await readLog(database, name, image)
    if (image.revision < mark.compacted) {
      throw corrupt(name, `the log ends at ${image.revision}, but ${mark.compacted} was compacted`)
    }
    return image
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError('Corrupt', `${name} cannot be read: ${String(error)}`, { cause: error })
  }
}

/** The oldest log record at or below the checkpoint that a crash kept from being deleted. */
export async function oldestLeftover(
  database: Database,
  checkpoint: number,
): Promise<number | undefined> {
  const range = { gte: records.logPrefix, lte: records.logKey(checkpoint) }
  for await (const [first] of database.scan(range)) {
    if (first !== undefined) return records.logRevision(first[0])
  }
  return undefined
}

async function readMark(database: Database, name: string): Promise<records.Mark> {
  const [found] = await database.getMany([records.markKey])
  if (found === undefined) return { checkpoint: 0, compacted: 0, digest: 0 }
  const mark = records.decodeMark(found)
  if (mark === undefined) throw corrupt(name, 'the mark of the compaction fails its checksum')
  return mark
}

async function readCheckpoint(database: Database, name: string, image: Image): Promise<void> {
  const { checkpointPrefix } = records
  let digest = 0
  for await (const page of database.scan({ gte: checkpointPrefix, lte: `o${afterSlash}` })) {
    for (const [diskKey, record] of page) {
      const stored = records.decodeObject(diskKey.slice(checkpointPrefix.length), record)
      if (stored === undefined) throw corrupt(name, `the object ${diskKey} fails its checksum`)
      image.load(stored)
      digest = withTerm(digest, stored.key, stored.revision)
    }
  }
  if (digest !== image.mark.digest) {
    const { checkpoint } = image.mark
    throw corrupt(name, `the objects are not those of revision ${checkpoint}: a write is missing`)
  }
}

async function readLog(database: Database, name: string, image: Image): Promise<void> {
  const range = { gte: records.logKey(image.revision + 1), lte: `l${afterSlash}` }
  for await (const page of database.scan(range)) {
    for (const [diskKey, bytes] of page) {
      const expected = image.revision + 1
      if (records.logRevision(diskKey) !== expected) {
        throw corrupt(name, `log record ${expected} is missing, the next one is ${diskKey}`)
      }
      const record = records.decodeLog(bytes)
      if (record === undefined) throw corrupt(name, `log record ${expected} fails its checksum`)
      replay(image, record)
    }
  }
}

function replay(image: Image, { time, writes }: records.LogRecord): void {
  image.history.beginRecord()
  // Copied: a slice would keep the whole record in memory for as long as one of its values lives.
  for (const { key, value } of writes) image.replay(key, value && exactCopy(value))
  image.history.mark(image.revision, time)
}

function exactCopy(value: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(value.length)
  value.copy(copy)
  return copy
}

function corrupt(name: string, what: string): StorageError {
  return new StorageError('Corrupt', `${name} is damaged: ${what}`)
}
