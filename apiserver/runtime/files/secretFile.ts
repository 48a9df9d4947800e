import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomicFile.ts'
import { cannotRead } from '../startError.ts'
import { isMissing } from '../systemReason.ts'

/** Storage for a secret that survives restarts. */
export interface SecretKeeper {
  /** Reads the value; undefined until one was written. */
  read(): Promise<string | undefined>
  /** Replaces the value if it is still `previous`. Returns the stored value: another server may have been faster. */
  replace(previous: string | undefined, text: string): Promise<string>
  /** True if other servers also read and write the file. */
  readonly isShared: boolean
}

/** Folder with an empty file for each secret file ever written. A secret file that lacks its mark here is new. */
const writtenFolder = join('pki', 'written')

/**
 * Keeps a secret in a file of the data folder, readable only by its owner; without a folder, in memory until the server
 * stops. A copy of the storage does not contain it.
 */
export function secretKeeper(dataDir: string | undefined, name: string): SecretKeeper {
  if (dataDir === undefined) return memoryKeeper()
  const path = join(dataDir, name)
  return {
    read: () => readIfAny(path),
    isShared: false,
    replace: async (_, text) => {
      await writeFileAtomic(path, text, 0o600)
      await noteFile(dataDir, name)
      return text
    },
  }
}

/** Secret files that were written once and are missing now. Their marks are deleted, so each is reported once. */
export async function removedSecretFiles(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, writtenFolder)
  const removed: string[] = []
  for (const note of await entriesOf(folder)) {
    const name = decodeURIComponent(note)
    if ((await readIfAny(join(dataDir, name))) !== undefined) continue
    await rm(join(folder, note))
    removed.push(name)
  }
  return removed
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function noteFile(dataDir: string, name: string): Promise<void> {
  return writeFileAtomic(join(dataDir, writtenFolder, encodeURIComponent(name)), '', 0o600)
}

function memoryKeeper(): SecretKeeper {
  let kept: string | undefined
  return {
    read: async () => kept,
    isShared: false,
    replace: async (_, text) => (kept = text),
  }
}

/** Content of a file; undefined: it does not exist. @throws StartError if it cannot be read. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw cannotRead(path, error)
  }
}
