import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProgramFile } from './archive.ts'

/** Program whose files are on the disk. */
export interface Unpacked {
  folder: string
  /** True if only this process uses the folder and removes it at exit. */
  isTemporary: boolean
}

/**
 * Files of the program in the user's cache, unpacked at the first start. A folder that others could have written, or
 * that is incomplete, is not used; without a cache, files are unpacked into a temporary folder.
 */
export function unpacked(files: readonly ProgramFile[], version: string): Unpacked {
  try {
    const folder = join(cacheFolder(process.env), version)
    if (isWhole(folder, files)) return { folder, isTemporary: false }
    // A damaged folder is replaced; a folder of another user is not touched.
    if (isOwn(folder)) rmSync(folder, { recursive: true, force: true })
    put(folder, files)
    if (isWhole(folder, files)) return { folder, isTemporary: false }
  } catch {
    // A read-only file system, a full disk, no home folder.
  }
  const folder = mkdtempSync(join(tmpdir(), 'platform-apiserver-'))
  write(folder, files)
  return { folder, isTemporary: true }
}

function cacheFolder({ XDG_CACHE_HOME: own, LOCALAPPDATA: local }: NodeJS.ProcessEnv): string {
  const base =
    process.platform === 'win32'
      ? local || join(homedir(), 'AppData', 'Local')
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : own || join(homedir(), '.cache')
  return join(base, 'platform-apiserver', 'program')
}

/** Writes the files into a folder atomically: other processes see all of them or none. */
function put(folder: string, files: readonly ProgramFile[]): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const fresh = `${folder}.${randomBytes(6).toString('hex')}`
  try {
    write(fresh, files)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process was first.
    if (!isWhole(folder, files)) throw error
  }
}

function write(folder: string, files: readonly ProgramFile[]): void {
  for (const { path, content } of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, content, { mode: 0o600 })
  }
}

/** Reports whether the folder and all files in it belong to the user, have the right size, and are closed to others. */
function isWhole(folder: string, files: readonly ProgramFile[]): boolean {
  try {
    return (
      isOwn(folder) &&
      files.every(({ path, content }) => {
        const found = lstatSync(join(folder, path))
        return found.isFile() && found.size === content.length && isClosed(found)
      })
    )
  } catch {
    return false
  }
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && isClosed(found)
}

/** Reports whether only the user may change a file. Windows protects each user's folder from others. */
function isClosed({ uid, mode }: { uid: number; mode: number }): boolean {
  if (process.platform === 'win32') return true
  return uid === process.geteuid?.() && (mode & 0o022) === 0
}
