import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from './makeFolder.ts'
import { StartError } from '../startError.ts'
import { syncFolder } from './syncFolder.ts'

/**
 * Writes a file atomically and durably, with exactly `mode`; a crash leaves the old file or the new one. A missing
 * folder is created, readable only by its owner.
 * @throws StartError if `path` is not a regular file, such as a device.
 */
export async function writeFileAtomic(path: string, text: string, mode: number): Promise<void> {
  await makeFolder(dirname(path), 0o700)
  await refuseNonFile(path)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await writeDurably(temporary, text, mode)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    await file.chmod(mode) // the mode at opening is masked, and has no effect on a file left by a crash
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function refuseNonFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && !found.isFile()) throw new StartError(`${path} is not a file`)
}
