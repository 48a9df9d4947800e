import { StorageError } from '../errors.ts'
import { afterSlash, type Database } from './database.ts'
import { digestWith } from './digest.ts'
import { HistoryIndex } from './historyIndex.ts'
import { Image } from './image.ts'
import * as records from './records.ts'

interface Counters {
  revision: number
  digest: number
  compacted: number
}

/** Reads everything and verifies it: every checksum, the history without a gap from the compacted revision to the
 *  counter, and the digest of the objects. LevelDB skips a damaged part of its log silently, so that it opened proves
 *  nothing. `name` is where the database is, for the messages.
 *  @throws StorageError Corrupt. */
export async function loadImage(
  database: Database,
  name: string,
  markEveryMs: number,
): Promise<Image> {
  try {
    const counters = await readCounters(database, name)
    const image = new Image(new HistoryIndex(counters.compacted, markEveryMs))
    const [digest] = await Promise.all([
      readObjects(database, name, image),
      readHistory(database, name, { counters, history: image.history }),
    ])
    if (digest !== counters.digest) {
      throw corrupt(name, 'the objects are not those of the newest revision: a write is missing')
    }
    image.setCounters(counters)
    return image
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError('Corrupt', `${name} cannot be read: ${String(error)}`, { cause: error })
  }
}

/** The oldest history record at or below `compacted` that a crash kept from being deleted. */
export async function oldestLeftover(
  database: Database,
  compacted: number,
): Promise<number | undefined> {
  const range = { gte: records.historyPrefix, lte: records.historyKey(compacted) }
  for await (const [first] of database.scan(range)) {
    if (first !== undefined) return records.historyRevision(first[0])
  }
  return undefined
}

async function readCounters(database: Database, name: string): Promise<Counters> {
  const [counter, mark] = await database.getMany([records.counterKey, records.compactionKey])
  const compacted = mark === undefined ? 0 : records.decodeCompaction(mark)
  if (compacted === undefined) throw corrupt(name, 'the compaction record fails its checksum')
  if (counter === undefined) return { revision: 0, digest: 0, compacted }
  const found = records.decodeCounter(counter)
  if (found === undefined) throw corrupt(name, 'the counter record fails its checksum')
  return { ...found, compacted }
}

async function readObjects(database: Database, name: string, image: Image): Promise<number> {
  const { objectPrefix } = records
  let digest = 0
  for await (const page of database.scan({ gte: objectPrefix, lte: `o${afterSlash}` })) {
    for (const [diskKey, record] of page) {
      const stored = records.decodeObject(diskKey.slice(objectPrefix.length), record)
      if (stored === undefined) throw corrupt(name, `the object ${diskKey} fails its checksum`)
      image.load(stored)
      digest = digestWith(digest, stored)
    }
  }
  return digest
}

async function readHistory(
  database: Database,
  name: string,
  into: { counters: Counters; history: HistoryIndex },
): Promise<void> {
  const { revision, compacted } = into.counters
  const known = new Map<string, string>()
  let expected = compacted + 1
  const range = { gte: records.historyKey(expected), lte: `h${afterSlash}` }
  for await (const page of database.scan(range)) {
    for (const [diskKey, record] of page) {
      checkNext(name, diskKey, expected)
      const entry = records.decodeHistory(record)
      if (entry === undefined) throw corrupt(name, `history record ${expected} fails its checksum`)
      into.history.append(once(known, entry.key), expected, entry.previous?.revision ?? 0)
      into.history.mark(expected, entry.time)
      expected++
    }
  }
  if (expected !== revision + 1) {
    throw corrupt(name, `the history ends at ${expected - 1}, but the counter says ${revision}`)
  }
}

function checkNext(name: string, diskKey: string, expected: number): void {
  if (records.historyRevision(diskKey) === expected) return
  throw corrupt(name, `history record ${expected} is missing, the next one is ${diskKey}`)
}

/** One string for all records of a key, not one each. */
function once(known: Map<string, string>, key: string): string {
  const found = known.get(key)
  if (found !== undefined) return found
  known.set(key, key)
  return key
}

function corrupt(name: string, what: string): StorageError {
  return new StorageError('Corrupt', `${name} is damaged: ${what}`)
}
