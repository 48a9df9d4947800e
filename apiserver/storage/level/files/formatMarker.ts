import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../../runtime/files/syncFolder.ts'
import { isMissing, systemReason } from '../../../runtime/systemReason.ts'
import { StorageError } from '../../errors.ts'

const formatVersion = 2
const fileName = 'format.json'

/**
 * Named settings that the keys and values of a folder depend on: it opens only with the same ones.
 * The storage does not interpret them.
 */
export type FolderIdentity = Readonly<Record<string, string>>

export interface FormatMarker {
  identity: FolderIdentity
  /** True if the folder has a file with the acknowledged revision. Older servers did not write one. */
  keepsAcknowledged: boolean
}

/**
 * Reads the marker of a folder; undefined: the folder is not marked as a storage. The marker proves that a database was
 * created here, so that a lost one is noticed rather than replaced by an empty one.
 * @throws StorageError NewerFormat, OlderFormat, Corrupt, and OtherIdentity if it differs from `wanted`. Names that
 * only one of the two has are ignored.
 */
export async function readFormatMarker(
  location: string,
  wanted: FolderIdentity,
): Promise<FormatMarker | undefined> {
  const path = join(location, fileName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new StorageError('Unavailable', cannotRead(path, error), { cause: error })
  })
  if (text === undefined) return undefined
  const marker = parseMarker(path, text)
  checkVersion(path, versionOf(path, marker))
  const identity = identityOf(path, marker)
  refuseOther(path, identity, wanted)
  const keepsAcknowledged = 'keepsAcknowledged' in marker && marker.keepsAcknowledged === true
  return { identity, keepsAcknowledged }
}

/**
 * Writes the marker atomically: a new file, synced, renamed, and the folder synced. The acknowledged file has to exist.
 */
export async function writeFormatMarker(location: string, identity: FolderIdentity): Promise<void> {
  const path = join(location, fileName)
  const named = Object.keys(identity).length === 0 ? {} : { identity }
  const marker = { formatVersion, keepsAcknowledged: true, ...named }
  await writeSynced(`${path}.new`, JSON.stringify(marker) + '\n')
  await rename(`${path}.new`, path)
  await syncFolder(location)
}

/**
 * Adds missing members to the marker, such as that of an older server. The caller holds the lock, and the acknowledged
 * file is durable.
 * @throws StorageError as `readFormatMarker`.
 */
export async function completeFormatMarker(
  location: string,
  wanted: FolderIdentity,
): Promise<void> {
  const found = await readFormatMarker(location, wanted)
  if (found === undefined) return
  const { identity, keepsAcknowledged } = found
  const isComplete = Object.keys(wanted).every((name) => Object.hasOwn(identity, name))
  if (isComplete && keepsAcknowledged) return
  await writeFormatMarker(location, { ...identity, ...wanted })
}

export function cannotRead(path: string, error: unknown): string {
  const reason = systemReason(error)
  return `${path} cannot be read${reason === undefined ? '' : `: ${reason}`}`
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

function parseMarker(path: string, text: string): object {
  let marker: unknown
  try {
    marker = JSON.parse(text)
  } catch (error) {
    throw new StorageError('Corrupt', `${path} is not JSON`, { cause: error })
  }
  return typeof marker === 'object' && marker !== null ? marker : {}
}

function versionOf(path: string, marker: object): number {
  const found = 'formatVersion' in marker ? marker.formatVersion : undefined
  if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found
  throw new StorageError('Corrupt', `${path} names no formatVersion`)
}

function checkVersion(path: string, found: number): void {
  if (found < formatVersion) {
    throw new StorageError(
      'OlderFormat',
      `${path} says storage format ${found}, of before the first release, which this server does not read`,
    )
  }
  if (found > formatVersion) {
    throw new StorageError(
      'NewerFormat',
      `${path} was written by a newer server: it says storage format ${found}, this server knows formats up to ${formatVersion}`,
    )
  }
}

function identityOf(path: string, marker: object): FolderIdentity {
  const found: unknown = 'identity' in marker ? marker.identity : {}
  const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [['', 0]]
  if (entries.some(([, value]) => typeof value !== 'string')) {
    throw new StorageError('Corrupt', `the identity in ${path} is not a map of strings`)
  }
  // Each value was checked to be a string.
  return Object.fromEntries(entries) as FolderIdentity
}

function refuseOther(path: string, found: FolderIdentity, wanted: FolderIdentity): void {
  const others = Object.entries(wanted).flatMap(([name, now]) => {
    const was = Object.hasOwn(found, name) ? found[name] : now
    return was === now ? [] : [`${name} was ${JSON.stringify(was)} and is ${JSON.stringify(now)}`]
  })
  if (others.length === 0) return
  throw new StorageError(
    'OtherIdentity',
    `the folder of ${path} was made with other settings, and is left as it is: ${others.join(', ')}`,
  )
}
