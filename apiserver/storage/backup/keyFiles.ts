import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../../runtime/startError.ts'
import { isMissing } from '../../runtime/systemReason.ts'
import type { BackedUpFile } from './backupFormat.ts'

const singleFiles = ['admin-access-key', 'agent-key-secret']
const folder = 'pki'
/** Paths that a restore creates: a backup must not be able to write anywhere else. */
const allowedPath = /^(admin-access-key|agent-key-secret|pki(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/

/** Keys and certificates of a data folder: secrets. */
export async function readKeyFiles(dataDir: string): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const path of [...singleFiles, ...(await pathsBelow(dataDir, folder))]) {
    const content = await readFile(join(dataDir, path)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (content !== undefined) files.push({ path, content })
  }
  return files
}

/** Creates a file of a data folder, readable only by its owner. @throws StartError for another path. */
export async function writeKeyFile(dataDir: string, file: BackedUpFile): Promise<void> {
  if (!allowedPath.test(file.path))
    throw new StartError(`the backup holds the file ${JSON.stringify(file.path)}, which is refused`)
  const path = join(dataDir, file.path)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, file.content, { mode: 0o600, flag: 'wx', flush: true })
  await chmod(path, 0o600)
}

async function pathsBelow(dataDir: string, below: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, below), { withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return []
      throw error
    },
  )
  const paths: string[] = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${below}/${entry.name}`
    if (entry.isDirectory()) paths.push(...(await pathsBelow(dataDir, path)))
    else if (entry.isFile()) paths.push(path)
  }
  return paths
}
