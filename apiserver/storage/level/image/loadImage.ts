import type { Sealing } from '../../encryption/sealing.ts'
import { StorageError } from '../../errors.ts'
import { nothingAcknowledged, type Acknowledged } from '../files/acknowledged.ts'
import type { StoredValue } from '../../storage.ts'
import { afterSlash, type Database } from '../format/database.ts'
import { withTerm } from '../format/digest.ts'
import { HistoryIndex } from './historyIndex.ts'
import { Image } from './image.ts'
import * as records from '../format/records.ts'

export interface LoadOptions {
  /** Name of the database for error messages. */
  name: string
  markEveryMs: number
  /** Encryption of values. */
  sealing: Sealing
  /** State that has to be present. Default: nothing. */
  acknowledged?: Acknowledged
}

/**
 * Reads and verifies everything: every checksum, the digest of the checkpoint, the log without a gap from there on, and
 * that acknowledged writes are present. LevelDB silently skips damaged parts of its log, so a successful open proves
 * nothing.
 * @throws StorageError Corrupt, Sealed.
 */
export async function loadImage(
  database: Database,
  { name, markEveryMs, sealing, acknowledged = nothingAcknowledged }: LoadOptions,
): Promise<Image> {
  try {
    const mark = await readMark(database, name)
    const image = new Image(new HistoryIndex(mark.checkpoint, markEveryMs), mark)
    await readCheckpoint(database, { name, image, sealing })
    const chain = await readLog(database, { name, image, sealing, acknowledged })
    if (image.revision < acknowledged.revision) {
      throw corrupt(name, endsEarly(image.revision, acknowledged.revision))
    }
    if (image.revision < mark.compacted) {
      throw corrupt(name, `the log ends at ${image.revision}, but ${mark.compacted} was compacted`)
    }
    image.chain = chain
    return image
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError('Corrupt', `${name} cannot be read: ${String(error)}`, { cause: error })
  }
}

/** The keys of log records at or below the checkpoint, left by a crash of an older server. */
export async function leftoverLog(database: Database, checkpoint: number): Promise<string[]> {
  const range = { gte: records.logPrefix, lte: records.logKey(checkpoint) }
  const found: string[] = []
  for await (const page of database.scan(range)) found.push(...page.map(([key]) => key))
  return found
}

async function readMark(database: Database, name: string): Promise<records.Mark> {
  const [found] = await database.getMany([records.markKey])
  if (found === undefined) return { checkpoint: 0, compacted: 0, digest: 0, chain: 0 }
  const mark = records.decodeMark(found)
  if (mark === undefined) throw corrupt(name, 'the mark of the compaction fails its checksum')
  return mark
}

interface ObjectsToRead {
  name: string
  image: Image
  sealing: Sealing
}

async function readCheckpoint(
  database: Database,
  { name, image, sealing }: ObjectsToRead,
): Promise<void> {
  const { checkpointPrefix } = records
  let digest = 0
  for await (const page of database.scan({ gte: checkpointPrefix, lte: `o${afterSlash}` })) {
    const decoded = page.map(([diskKey, record]) => {
      const stored = records.decodeObject(diskKey.slice(checkpointPrefix.length), record)
      if (stored === undefined) throw corrupt(name, `the object ${diskKey} fails its checksum`)
      return stored
    })
    const preparing = sealing.prepare(valuesOf(decoded))
    if (preparing !== undefined) await preparing
    for (const stored of decoded) {
      image.load(opened(stored, sealing))
      digest = withTerm(digest, stored.key, stored.revision)
    }
  }
  if (digest !== image.mark.digest) {
    const { checkpoint } = image.mark
    throw corrupt(name, `the objects are not those of revision ${checkpoint}: a write is missing`)
  }
}

function opened(stored: StoredValue, sealing: Sealing): StoredValue {
  const value = sealing.open(stored.key, stored.value)
  return value === stored.value ? stored : { ...stored, value: exactCopy(value) }
}

function* valuesOf(writes: Iterable<records.LogWrite>): Generator<Buffer | undefined> {
  for (const { value } of writes) yield value
}

interface LogToRead extends ObjectsToRead {
  acknowledged: Acknowledged
}

/** Reads the log and returns the chain at its end. */
async function readLog(
  database: Database,
  { name, image, sealing, acknowledged }: LogToRead,
): Promise<number> {
  const range = { gte: records.logKey(image.revision + 1), lte: `l${afterSlash}` }
  let chain = image.mark.chain ?? 0
  // The chain can only be compared if its start is known.
  const known = image.mark.chain === undefined ? undefined : acknowledged.chain
  const compare = () => {
    if (image.revision === acknowledged.revision && known !== undefined && chain !== known)
      throw corrupt(name, `up to revision ${image.revision} it is ${notOurs}`)
  }
  compare()
  for await (const page of database.scan(range)) {
    for (const [diskKey, bytes] of page) {
      const record = logRecord(image, name, [diskKey, bytes])
      const preparing = sealing.prepare(valuesOf(record.writes))
      if (preparing !== undefined) await preparing
      replay(image, record, sealing)
      chain = records.chained(chain, bytes)
      compare()
    }
  }
  return chain
}

const notOurs = 'not what was acknowledged: a file of it is an older copy, or one of another folder'

function endsEarly(end: number, acknowledged: number): string {
  return (
    `it ends at revision ${end}, but ${acknowledged} was acknowledged: ` +
    'a file of it was cut, or is an older copy'
  )
}

function logRecord(
  image: Image,
  name: string,
  [diskKey, bytes]: [string, Buffer],
): records.LogRecord {
  const expected = image.revision + 1
  if (records.logRevision(diskKey) !== expected) {
    throw corrupt(name, `log record ${expected} is missing, the next one is ${diskKey}`)
  }
  const record = records.decodeLog(bytes)
  if (record === undefined) throw corrupt(name, `log record ${expected} fails its checksum`)
  return record
}

function replay(image: Image, { time, writes }: records.LogRecord, sealing: Sealing): void {
  image.history.beginRecord()
  // Copied: a slice would keep the whole record in memory as long as one of its values lives.
  for (const { key, value } of writes)
    image.replay(key, value && exactCopy(sealing.open(key, value)))
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
