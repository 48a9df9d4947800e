import { constants, type Stats } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { messageOf } from '../meta/messageOf.ts'
import { failed, fine, warning, type Finding } from '../runtime/finding.ts'
import { isMissing, systemReason } from '../runtime/systemReason.ts'
import { StorageError } from '../storage/errors.ts'
import { inspectFolder } from '../storage/level/folder/inspectFolder.ts'

/** Findings about a data folder, and facts that later checks need. */
export interface FolderState {
  findings: Finding[]
  /** True if another process has the folder open. */
  isInUse: boolean
  /** Modification time of the newest file; undefined: no files. */
  newestMs: number | undefined
}

/** Checks a data folder without writing to it. `hasObjects`: objects are kept in it, too. */
export async function checkFolder(
  dataDir: string,
  { hasObjects }: { hasObjects: boolean },
): Promise<FolderState> {
  const found = await statOf(dataDir)
  if (found === undefined) return { findings: [await absent(dataDir)], ...unused }
  const findings = [await ownFolder(dataDir, found)]
  if (!found.isDirectory()) return { findings, ...unused }
  const files = await filesBelow(dataDir)
  findings.push(secretFiles(files))
  const newestMs = files.reduce<number | undefined>(
    (newest, { mtimeMs }) => Math.max(newest ?? 0, mtimeMs),
    undefined,
  )
  if (!hasObjects) return { findings, isInUse: false, newestMs }
  const data = await checkData(dataDir)
  return { findings: [...findings, data.finding], isInUse: data.isInUse, newestMs }
}

const unused = { isInUse: false, newestMs: undefined }

async function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

/** Findings about a folder that the first start will create. */
async function absent(dataDir: string): Promise<Finding> {
  let parent = resolve(dataDir)
  let found: Stats | undefined
  do {
    parent = dirname(parent)
    found = await statOf(parent)
  } while (found === undefined && dirname(parent) !== parent)
  const isWritable = found?.isDirectory() === true && (await mayWrite(parent))
  if (isWritable) return fine('folder', `${dataDir} will be created at the first start`)
  return failed(
    'folder',
    `${dataDir} does not exist, and ${userName()} cannot create it in ${parent}`,
    `create it and give it to the user of the server, or name another one with --data-dir`,
  )
}

async function ownFolder(dataDir: string, found: Stats): Promise<Finding> {
  if (!found.isDirectory())
    return failed('folder', `${dataDir} is not a folder`, 'name another one with --data-dir')
  if (!(await mayWrite(dataDir)))
    return failed(
      'folder',
      `${userName()} cannot write to ${dataDir}`,
      `run the server, and this command, as the owner of the folder (user ${found.uid}), or change the owner with chown -R`,
    )
  if (process.platform !== 'win32' && (found.mode & 0o022) !== 0)
    return warning(
      'folder',
      `${dataDir} can be changed by other users`,
      `chmod go-w ${dataDir}: others could replace its keys`,
    )
  return fine('folder', `${dataDir} can be written to`)
}

function userName(): string {
  return process.getuid === undefined ? 'this user' : `user ${process.getuid()}`
}

async function mayWrite(folder: string): Promise<boolean> {
  const { R_OK, W_OK, X_OK } = constants
  return access(folder, R_OK | W_OK | X_OK).then(
    () => true,
    () => false,
  )
}

interface FoundFile {
  path: string
  mode: number
  mtimeMs: number
}

async function filesBelow(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const found = await Promise.all(paths.map(statOf))
  // A file that a running server removed meanwhile has no state.
  return found.flatMap((state, index) =>
    state === undefined
      ? []
      : [{ path: paths[index] ?? '', mode: state.mode, mtimeMs: state.mtimeMs }],
  )
}

/** Names of files with keys. Keys in the database are protected by the mode of its folder. */
const secretFile = /(\.key|-key|-secret)$/

function secretFiles(files: readonly FoundFile[]): Finding {
  const keys = files.filter(({ path, mode }) => secretFile.test(path) && (mode & 0o044) !== 0)
  if (process.platform === 'win32' || keys.length === 0)
    return fine('secrets', 'no key can be read by other users')
  const paths = keys.map(({ path }) => path).join(' ')
  return warning(
    'secrets',
    `other users can read ${paths}`,
    `chmod 600 ${paths}; if others may have read them, rotate these keys`,
  )
}

async function checkData(dataDir: string): Promise<{ finding: Finding; isInUse: boolean }> {
  try {
    const found = await inspectFolder(dataDir)
    const text =
      found === undefined
        ? `${dataDir} holds no objects yet`
        : `${dataDir} is undamaged: ${found.objects} objects at revision ${found.revision}`
    return { finding: fine('data', text), isInUse: false }
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Locked')
      return {
        finding: fine(
          'data',
          `${dataDir} is open in a running server, which verified it at its start`,
        ),
        isInUse: true,
      }
    return { finding: dataFailure(error, dataDir), isInUse: false }
  }
}

function dataFailure(error: unknown, dataDir: string): Finding {
  const code = error instanceof StorageError ? error.code : undefined
  const said = messageOf(error)
  if (code === 'NewerFormat' || code === 'OlderFormat')
    return failed(
      'data',
      said,
      'run the version of the server that wrote the folder, or restore a backup',
    )
  if (code === 'Corrupt')
    return failed(
      'data',
      said,
      'keep a copy of the folder, then restore the newest backup; without one, start once with --accept-data-loss',
    )
  const why = systemReason(error) ?? said
  const advice = isMissing(error)
    ? 'restore the newest backup'
    : 'run this command as the user of the server'
  return failed('data', `the objects in ${dataDir} cannot be read: ${why}`, advice)
}
