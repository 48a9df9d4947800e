import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../../runtime/files/makeFolder.ts'
import { isMissing } from '../../../runtime/systemReason.ts'
import { StorageError } from '../../errors.ts'
import { createAcknowledged, readAcknowledged } from '../files/acknowledged.ts'
import { afterSlash, isLocked, openLevel, type Database } from '../format/database.ts'
import { checkFiles } from '../files/checkFiles.ts'
import { recordFiles } from '../files/recordFiles.ts'
import { forgetKnownFiles, readKnownFiles } from '../files/knownFiles.ts'
import {
  cannotRead,
  readFormatMarker,
  writeFormatMarker,
  type FolderIdentity,
} from '../files/formatMarker.ts'
import { logPrefix } from '../format/records.ts'

/**
 * Opens the database in `<location>/db`, or creates one in an empty folder. LevelDB creates a new
 * one if its CURRENT file is missing, and drops or deletes damaged data, so every file is verified
 * first. No file of an existing folder is written before LevelDB's lock is held.
 * @throws StorageError Locked, NewerFormat, OlderFormat, OtherIdentity, Corrupt, Unavailable.
 */
export async function openFolder(
  location: string,
  identity: FolderIdentity = {},
  syncsWrites = true,
): Promise<Database> {
  const folder = join(location, 'db')
  const marker = await readFormatMarker(location, identity)
  const files = await filesOf(folder)
  const fresh = !files.includes('CURRENT')
  if (marker !== undefined && fresh) {
    throw new StorageError(
      'Corrupt',
      `${folder}/CURRENT is missing: the database that ${location}/format.json speaks of is gone or damaged`,
    )
  }
  if (fresh) await prepareFolder(location, files)
  else await verifyFolder(location, marker?.keepsAcknowledged === true)
  const opening = openLevel(folder, { createIfMissing: fresh, syncsWrites })
  const database = await opening.catch((error: unknown) => {
    throw openError(error, folder)
  })
  if (marker === undefined) await markFirstUse(database, location, identity)
  return {
    ...database,
    reopen: async () => {
      await verifyFolder(location, true)
      await database.reopen()
    },
    close: async () => {
      await database.close()
      // The record only speeds up the next start.
      await recordFiles(location).catch(() => undefined)
    },
  }
}

/** @throws StorageError Locked, Corrupt, Unavailable. */
async function verifyFolder(location: string, keepsAcknowledged: boolean): Promise<void> {
  const folder = join(location, 'db')
  try {
    const { revision } = await readAcknowledged(location, keepsAcknowledged)
    const known = await readKnownFiles(location)
    const { problems } = await checkFiles({ folder, known, acknowledged: revision })
    if (problems.length > 0) throw new StorageError('Corrupt', listed(problems))
  } catch (error) {
    // The files of a running server change while they are read.
    if (await isLocked(folder)) throw inUse(folder, error)
    if (error instanceof StorageError) throw error
    throw new StorageError('Unavailable', cannotRead(pathOf(error) ?? folder, error), {
      cause: error,
    })
  }
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error ? String(error.path) : undefined
}

const maxListed = 3

function listed(problems: readonly string[]): string {
  const more = problems.length - maxListed
  return [...problems.slice(0, maxListed), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** An error message for an error of LevelDB. */
function openError(error: unknown, folder: string): StorageError {
  const causes = [error, error instanceof Error ? error.cause : undefined]
  const codes = causes.map((cause) => (cause instanceof Error && 'code' in cause ? cause.code : ''))
  const said = causes.findLast((cause) => cause instanceof Error)?.message ?? String(error)
  if (codes.includes('LEVEL_LOCKED')) return inUse(folder, error)
  if (codes.includes('LEVEL_CORRUPTION')) {
    return new StorageError('Corrupt', `${folder} is damaged: ${said}`, { cause: error })
  }
  return new StorageError('Unavailable', `${folder} cannot be opened: ${said}`, { cause: error })
}

function inUse(folder: string, cause: unknown): StorageError {
  return new StorageError('Locked', `${folder} is in use by another process`, { cause })
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw new StorageError('Unavailable', cannotRead(folder, error), { cause: error })
  }
}

/**
 * Prepares a folder for first use. An earlier first start that ended before LevelDB wrote CURRENT leaves a lock, an
 * info log and a manifest, but no data.
 */
async function prepareFolder(location: string, files: readonly string[]): Promise<void> {
  const folder = join(location, 'db')
  const data = files.find((file) => /\.(log|ldb|sst)$/.test(file))
  if (data !== undefined) {
    throw new StorageError(
      'Corrupt',
      `${folder}/CURRENT is missing, but there is data in ${folder}/${data}`,
    )
  }
  await makeFolder(folder, 0o700)
  await forgetKnownFiles(location)
}

/**
 * Marks a database at first use. An earlier first start that ended between LevelDB's files and the
 * marker left an empty database. Checked under the lock, because another process may have created
 * the database in the meantime.
 */
async function markFirstUse(
  database: Database,
  location: string,
  identity: FolderIdentity,
): Promise<void> {
  try {
    if ((await readFormatMarker(location, identity)) !== undefined) return
    if (!(await isEmpty(database))) {
      throw new StorageError(
        'Corrupt',
        `${location}/db holds a database, but ${location}/format.json, which says its format, is missing`,
      )
    }
    await createAcknowledged(location)
    await writeFormatMarker(location, identity)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function isEmpty(database: Database): Promise<boolean> {
  for await (const page of database.scan({ gte: logPrefix, lte: `o${afterSlash}` })) {
    return page.length === 0
  }
  return true
}
