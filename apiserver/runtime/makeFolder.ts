import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isMissing } from './systemReason.ts'

/** Makes a folder where there is none, with what is missing of its parents. The runtime's own recursive `mkdir` is not
 *  used: where a parent exists and takes no folder, as `/proc` does, it asks again for ever, and nothing stops it.
 *  @param mode of every folder that is made; that of one that exists stays.
 *  @throws the system's error about the first folder that cannot be made. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const folder = resolve(path)
  if (await isMade(folder, mode)) return
  await makeFolder(dirname(folder), mode)
  // Whatever the system says now is about this folder itself: its parent is there.
  await mkdir(folder, { mode }).catch((error: unknown) => refuseNonFolder(folder, error))
}

/** False: a parent is missing. */
async function isMade(folder: string, mode: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (isMissing(error) && dirname(folder) !== folder) return false
    await refuseNonFolder(folder, error)
  }
  return true
}

/** Another process may have made it meanwhile, and the system may forbid to make what is there already. */
async function refuseNonFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw error
}
