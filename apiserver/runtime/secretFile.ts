import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomicFile.ts'
import { isMissing } from './systemReason.ts'

/** The place where a secret is kept between starts. */
export interface SecretKeeper {
  /** Undefined while nothing was written. */
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
}

/** Folder with an empty file for each secret file that was written: a secret file without its own was removed. */
const writtenFolder = join('pki', 'written')

/** Keeps a secret in a file of the data folder that its owner alone can read; without a folder in memory, until the
 *  server stops. A copy of the storage does not hold it. */
export function secretKeeper(dataDir: string | undefined, name: string): SecretKeeper {
  if (dataDir === undefined) return memoryKeeper()
  const path = join(dataDir, name)
  return {
    read: () => readIfAny(path),
    write: async (text) => {
      await writeFileAtomic(path, text, 0o600)
      await noteFile(dataDir, name)
    },
  }
}

/** The secret files that were written and are missing now. They are forgotten, so that each is told once. */
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
    write: async (text) => {
      kept = text
    },
  }
}

async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
