import { link, open, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StartError } from '../startError.ts'
import { syncFolder } from './syncFolder.ts'

export interface NewFileOptions {
  /** Path of the unfinished file, in the same folder. Default: the path with the process in it. */
  partial?: string
  /**
   * Checks the complete file before it gets its name; a rejection removes it. Default: no check.
   */
  check?: (partial: string) => Promise<void>
}

/**
 * Writes a new file, readable only by its owner, as a stream; it appears under its name once it is complete and
 * durable.
 * @throws StartError if the file exists; the error of `pieces`, of the check or of the system, after which no file is
 * left.
 */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<Buffer>,
  { partial = `${path}.${process.pid}.partial`, check }: NewFileOptions = {},
): Promise<void> {
  await requireNew(path)
  try {
    const file = await open(partial, 'w', 0o600)
    try {
      await file.chmod(0o600) // the mode at opening has no effect on a file left by a crash
      for await (const piece of pieces) await file.writeFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await check?.(partial)
    // Unlike a rename, a link never replaces a file.
    await link(partial, path).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? exists(path)
        : error
    })
  } finally {
    await rm(partial, { force: true })
  }
  await syncFolder(dirname(resolve(path)))
}

/** Requires that nothing exists at a path. @throws StartError otherwise. */
export async function requireNew(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) throw exists(path)
}

function exists(path: string): StartError {
  return new StartError(`${path} exists already, and is left as it is; name another file`)
}
