import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isMissing } from '../systemReason.ts'

/**
 * Creates a folder and its missing parents. The runtime's recursive `mkdir` is not used: if an existing parent cannot
 * hold folders, like `/proc`, it retries forever.
 * @param mode of every folder that is created; existing folders keep theirs.
 * @throws the system's error about the first folder that cannot be created.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const folder = resolve(path)
  if (await isMade(folder, mode)) return
  await makeFolder(dirname(folder), mode)
  // The parent exists, so any error is about this folder itself.
  await mkdir(folder, { mode }).catch((error: unknown) => refuseNonFolder(folder, error))
}

/** Creates one folder; false: its parent is missing. */
async function isMade(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (isMissing(error) && dirname(folder) !== folder) return false
    await refuseNonFolder(folder, error)
  }
  return true
}

/**
 * Ignores the error of an existing folder: another process may have created it in the meantime, and
 * the system may forbid creating a folder that already exists.
 */
async function refuseNonFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw error
}
