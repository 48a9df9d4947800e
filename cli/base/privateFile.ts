import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './cliError.ts'

const lockWaitMs = 10_000
/** A lock older than this was left behind by a process that ended. */
const staleLockMs = 30_000

/** The text of a file; undefined: there is none. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The text of a file, and how far other users of the machine may use it. */
export interface PrivateText {
  /** Undefined: there is no file. */
  text: string | undefined
  /** Others could read it until now; they cannot any more. */
  wasReadable: boolean
}

/**
 * The text of a file that only its owner may use. One that others may read is closed to them.
 * @throws CliError if others may change it: the text may be theirs.
 */
export async function readPrivate(path: string): Promise<PrivateText> {
  const text = await readIfAny(path)
  // Windows keeps the folder of each user from others; it has no such modes.
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
 * Replaces a file in one step, readable by its owner only: readers see the old or the new text, also when the process
 * or the machine ends in between. A symbolic link stays, and its target is replaced.
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
    // Writes do not name their file.
    throw Object.assign(error as Error, { path })
  }
}

/**
 * Runs `work` while no other process works on the file, under the lock file `<path>.lock`, as kubectl has it.
 * @throws CliError when another process holds the lock for longer than ten seconds.
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
