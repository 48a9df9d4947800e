import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './cliError.ts'

const lockWaitMs = 10_000
/** Age from which a lock counts as left behind by a process that ended. */
const staleLockMs = 30_000

/** Content of a file; undefined: the file does not exist. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Content of a file, and its access for other users of the machine. */
export interface PrivateText {
  /** Content; undefined: the file does not exist. */
  text: string | undefined
  /** True if others could read the file before; now they cannot. */
  wasReadable: boolean
}

/**
 * Reads a file that only its owner may use. Removes read access of others.
 * @throws CliError if others may write it: the content may be theirs.
 */
export async function readPrivate(path: string): Promise<PrivateText> {
  const text = await readIfAny(path)
  // Windows protects each user's folder from others, and has no such modes.
  if (text === undefined || process.platform === 'win32') return { text, wasReadable: false }
  const { mode, uid } = await stat(path)
  if ((mode & 0o022) !== 0 || isForeign(uid)) {
    const hint = `Look through it, then run: chmod 600 ${path}`
    throw new CliError(`${path} can be changed by other users`, { hint })
  }
  const wasReadable = (mode & 0o044) !== 0
  if (wasReadable) await chmod(path, 0o600)
  return { text, wasReadable }
}

/** Reports whether a file belongs to a user other than the current one and root. Root may use any file. */
function isForeign(owner: number): boolean {
  const user = process.geteuid?.()
  return owner !== 0 && user !== 0 && owner !== user
}

/**
 * Replaces a file atomically, readable only by its owner: readers see the old or the new content,
 * even if the process or the machine stops in the meantime. A symbolic link is kept, and its target
 * is replaced.
 */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    // Errors of writes do not name the file.
    throw Object.assign(error as Error, { path })
  }
}

/**
 * Runs `work` while no other process works on the file, under the lock file `<path>.lock`, like kubectl.
 * @throws CliError if another process holds the lock for more than ten seconds.
 */
export async function underLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const lock = `${path}.lock`
  await takeLock(lock)
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function takeLock(lock: string): Promise<void> {
  const until = Date.now() + lockWaitMs
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > staleLockMs) await rm(lock, { force: true })
    else if (Date.now() > until) {
      const hint = 'Another process writes the file. If there is none, delete the lock.'
      throw new CliError(`${lock} is held by another process`, { hint })
    } else await sleep(20)
  }
}
