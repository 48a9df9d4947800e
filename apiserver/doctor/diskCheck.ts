import { stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { failed, fine, warning, type Finding } from '../runtime/finding.ts'

const mebibyte = 1024 * 1024
/** Free space below which writes are about to fail (error) or action is needed (warning). */
const limits = { error: 64 * mebibyte, warning: 1024 * mebibyte }
const fewFiles = 1000

const advice =
  'free some space, move the data folder to a larger disk, or lower --history-retain-revisions'

/** Free space for a folder that may not exist yet. */
export async function checkDisk(folder: string): Promise<Finding> {
  const there = await existing(resolve(folder))
  const { bavail, bsize, files, ffree } = await statfs(there)
  const free = bavail * bsize
  const text = `${Math.floor(free / mebibyte)} MiB are free on the disk of ${there}`
  if (free < limits.error) return failed('disk', text, advice)
  // File systems that create inodes as needed report none.
  if (files > 0 && ffree < fewFiles)
    return warning('disk', `the disk of ${there} can take only ${ffree} more files`, advice)
  if (free < limits.warning) return warning('disk', text, advice)
  return fine('disk', text)
}

async function existing(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined || dirname(path) === path ? path : existing(dirname(path))
}
