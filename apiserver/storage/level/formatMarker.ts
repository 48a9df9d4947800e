import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '../errors.ts'

const formatVersion = 2
const fileName = 'format.json'

/** Whether the folder is marked as a storage of a format this server knows. The marker says that a database was made
 *  here, so that a lost one is noticed and not replaced by an empty one.
 *  @throws StorageError NewerFormat, Corrupt. */
export async function hasFormatMarker(location: string): Promise<boolean> {
  const path = join(location, fileName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new StorageError('Unavailable', `${path} cannot be read`, { cause: error })
  })
  if (text === undefined) return false
  const found = parseVersion(path, text)
  if (found === formatVersion) return true
  if (found < formatVersion) {
    throw new StorageError(
      'Corrupt',
      `${location} has the storage format ${found}, of before the first release, which this server does not read`,
    )
  }
  throw new StorageError(
    'NewerFormat',
    `${location} was written by a newer server: its storage format is ${found}, this server knows formats up to ${formatVersion}`,
  )
}

/** Written whole or not at all: a new file, synced, renamed, and the folder synced. */
export async function writeFormatMarker(location: string): Promise<void> {
  const path = join(location, fileName)
  await writeSynced(`${path}.new`, JSON.stringify({ formatVersion }) + '\n')
  await rename(`${path}.new`, path)
  const folder = await open(location, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
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

function parseVersion(path: string, text: string): number {
  try {
    const marker: unknown = JSON.parse(text)
    if (typeof marker === 'object' && marker !== null && 'formatVersion' in marker) {
      const found = marker.formatVersion
      if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found
    }
  } catch (error) {
    throw new StorageError('Corrupt', `${path} is not JSON`, { cause: error })
  }
  throw new StorageError('Corrupt', `${path} names no formatVersion`)
}
