import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { isMissing } from '../../../runtime/systemReason.ts'
import { asStored } from '../../encryption/sealing.ts'
import { StorageError } from '../../errors.ts'
import { readAcknowledged } from '../files/acknowledged.ts'
import { openLevel, type Database, type DiskRange } from '../format/database.ts'
import { checkFiles } from '../files/checkFiles.ts'
import { readKnownFiles } from '../files/knownFiles.ts'
import { readableEntries } from '../files/readableEntries.ts'
import { readFormatMarker } from '../files/formatMarker.ts'
import { loadImage } from '../image/loadImage.ts'

/** Contents of a data folder, in numbers. */
export interface FolderSummary {
  revision: number
  objects: number
}

/**
 * Reads and verifies a data folder as a start does, without writing to it: LevelDB, which rewrites
 * its log when it opens, is not used. Its lock is held in the meantime. Undefined: no data yet.
 * Another server of the same process must not have the folder open.
 * @throws StorageError Locked, NewerFormat, OlderFormat, Corrupt, Unavailable; the system's error
 * for an unreadable file.
 */
export async function inspectFolder(location: string): Promise<FolderSummary | undefined> {
  const folder = join(location, 'db')
  const lock = await lockFolder(folder)
  try {
    const marker = await readFormatMarker(location, {})
    if (marker === undefined) return undefined
    const acknowledged = await readAcknowledged(location, marker.keepsAcknowledged)
    const known = await readKnownFiles(location)
    const { problems } = await checkFiles({ folder, known, acknowledged: acknowledged.revision })
    if (problems.length > 0) throw new StorageError('Corrupt', problems.join('; '))
    const image = await loadImage(databaseOf(await readableEntries(folder)), {
      ...{ name: `the database in ${folder}/`, markEveryMs: 60_000, acknowledged },
      // Encrypted values are not decrypted: no key is needed.
      sealing: asStored,
    })
    const objects = image.collect({ prefix: '' }, 0).length
    return { revision: image.revision, objects }
  } finally {
    await lock.release()
  }
}

/**
 * Acquires LevelDB's lock of a folder through a database elsewhere that has a link as its lock
 * file: opening a database in the folder itself would start a new log. @throws StorageError Locked,
 * Unavailable.
 */
async function lockFolder(folder: string): Promise<{ release: () => Promise<void> }> {
  const file = resolve(folder, 'LOCK')
  const isThere = await stat(file).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )
  if (!isThere) return { release: () => Promise.resolve() }
  const elsewhere = await mkdtemp(join(tmpdir(), 'platform-lock-'))
  const remove = () => rm(elsewhere, { recursive: true, force: true })
  try {
    await symlink(file, join(elsewhere, 'LOCK'))
    const database = await openLevel(elsewhere, { createIfMissing: true })
    return {
      release: async () => {
        await database.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw lockError(error, folder)
  }
}

function lockError(error: unknown, folder: string): StorageError {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'LEVEL_LOCKED')
    return new StorageError('Locked', `${folder} is in use by another process`, { cause: error })
  const said = cause instanceof Error ? cause.message : String(error)
  return new StorageError('Unavailable', `${folder}/LOCK cannot be locked: ${said}`, {
    cause: error,
  })
}

/** Entries as a read-only database. */
function databaseOf(entries: ReadonlyMap<string, Buffer>): Database {
  const sorted = [...entries].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const refuse = () => Promise.reject(new Error('this database can only be read'))
  return {
    reopen: refuse,
    write: refuse,
    shrink: refuse,
    close: () => Promise.resolve(),
    getMany: (keys) => Promise.resolve(keys.map((key) => entries.get(key))),
    // Each page is read in the turn of its request, like from a database.
    scan: async function* ({ gte, lte }: DiskRange) {
      const [first, last] = [Buffer.from(gte), Buffer.from(lte)]
      const isWithin = (key: Buffer) =>
        Buffer.compare(key, first) >= 0 && Buffer.compare(key, last) <= 0
      const found = sorted.filter(([key]) => isWithin(Buffer.from(key)))
      for (let at = 0; at < found.length; at += pageEntries)
        yield await Promise.resolve(found.slice(at, at + pageEntries))
    },
  }
}

const pageEntries = 1000
