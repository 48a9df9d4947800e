import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from './atomicFile.ts'
import { isMissing } from './systemReason.ts'

/** Storage for a secret that survives restarts. */
export interface SecretKeeper {
  /** Undefined until something was written. */
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
}

/**
 * Keeps a secret in a file of the data folder, readable only by its owner; without a folder, in memory until the server
 * stops. A copy of the storage does not contain it.
 */
export function secretKeeper(dataDir: string | undefined, name: string): SecretKeeper {
  if (dataDir === undefined) return memoryKeeper()
  const path = join(dataDir, name)
  return { read: () => readIfAny(path), write: (text) => writeFileAtomic(path, text, 0o600) }
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
