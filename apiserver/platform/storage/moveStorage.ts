import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock, Random } from '../../meta/clock.ts'
import { writeFileAtomic } from '../../runtime/files/atomicFile.ts'
import type { Logger } from '../../runtime/logging.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { StorageMove } from '../../runtime/options/storageMove.ts'
import { StartError } from '../../runtime/startError.ts'
import { readBackup } from '../../storage/backup/readBackup.ts'
import { unsealed, type Sealing } from '../../storage/encryption/sealing.ts'
import { withFolderState } from '../../storage/level/folder/folderState.ts'
import { emptyFolder, restoreFolder } from '../../storage/level/folder/restoreFolder.ts'
import { isSameContent } from '../../storage/objects/templateOf.ts'
import type { StoredValue } from '../../storage/storage.ts'
import { serverPrefix } from '../replicas/serverKeys.ts'
import { openEncryption } from './openEncryption.ts'
import { accessTo, openStorage } from './openStorage.ts'
import { sharedFilesOf } from './sharedFilesOf.ts'
import { storedNames } from './storedNames.ts'

interface Surroundings {
  clock: Clock
  random: Random
  log: Logger
}

/** Objects of a storage at one revision. */
interface State {
  identity: Readonly<Record<string, string>>
  revision: number
  /** Objects in key order, with values in clear. */
  objects: StoredValue[]
  /** Paths and contents of files of the data folder that the storage shares. */
  files: ReadonlyMap<string, string>
}

/**
 * Copies all objects into another, empty storage, and compares them there. Uids are kept. LevelDB
 * also keeps revisions; etcd assigns new ones above them. History is not copied. Servers have to be
 * stopped. Returns the result as a sentence.
 * @throws StartError, StorageError.
 */
export async function moveStorage(
  { from, to }: StorageMove,
  options: ServerOptions,
  around: Surroundings,
): Promise<string> {
  const automaticReload = { encryptionProviderConfigAutomaticReload: false }
  const encryption = await openEncryption({ ...options, ...automaticReload }, around)
  const sealing = encryption ?? unsealed
  try {
    if (to === 'level') await emptyFolder(folderOf(options))
    const state = await readState(from, options, { ...around, sealing })
    const revision = await (to === 'level' ? intoFolder : intoEtcd)(state, options, {
      ...around,
      sealing,
    })
    const count = state.objects.length
    return `copied ${count} objects of revision ${state.revision} from ${from} to ${to}, which is at revision ${revision}; all are equal`
  } finally {
    encryption?.stop()
  }
}

type Sealed = Surroundings & { sealing: Sealing }

function folderOf({ dataDir }: ServerOptions): string {
  if (dataDir === undefined) throw new StartError('name the data folder with --data-dir')
  return dataDir
}

async function readState(from: string, options: ServerOptions, around: Sealed): Promise<State> {
  if (from !== 'level' && from !== 'etcd') return readFile(from, around.sealing)
  if (from === 'level') {
    // Verified first, so that nothing is created in a folder of another kind.
    await withFolderState(folderOf(options), () => Promise.resolve())
  }
  const storage = await openStorage({ ...options, storage: from }, around)
  try {
    await storage.reachNewest()
    const { items, revision } = await storage.list({ prefix: '' })
    const objects = items.filter(({ key }) => !key.startsWith(serverPrefix))
    return { identity: storedNames(options.names), revision, objects, files: sharedFilesOf(items) }
  } finally {
    await storage.close()
  }
}

async function readFile(from: string, sealing: Sealing): Promise<State> {
  const objects: StoredValue[] = []
  let header: Pick<State, 'identity' | 'revision'> | undefined
  for await (const part of readBackup(createReadStream(from), from)) {
    if ('header' in part) header = part.header
    if (!('objects' in part)) continue
    await sealing.prepare(part.objects.map(({ value }) => value))
    for (const stored of part.objects)
      objects.push({ ...stored, value: sealing.open(stored.key, stored.value) })
  }
  if (header === undefined) throw new StartError(`${from} has no header`)
  const { identity, revision } = header
  return { identity, revision, objects, files: new Map() }
}

async function intoEtcd(state: State, options: ServerOptions, around: Sealed): Promise<number> {
  const { importObjects } = await import('../../storage/etcd/importObjects.ts')
  const { prefix } = options.etcd
  const access = await accessTo(options.etcd)
  return importObjects({ access, prefix, ...around, ...state })
}

async function intoFolder(
  { identity, revision, objects, files }: State,
  options: ServerOptions,
  { sealing }: Sealed,
): Promise<number> {
  const folder = folderOf(options)
  const sealed = objects.map((one) => ({ ...one, value: sealing.seal(one.key, one.value) }))
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await writeFileAtomic(join(folder, path), content, 0o600)
  }
  await restoreFolder(folder, { identity, revision, batches: blocks(sealed) })
  return withFolderState(folder, async (written) => {
    await sealing.prepare(written.objects.map(({ value }) => value))
    const opened = written.objects.map((one) => ({
      ...one,
      value: sealing.open(one.key, one.value),
    }))
    checkEqual(objects, opened)
    return written.revision
  })
}

async function* blocks(objects: readonly StoredValue[]): AsyncGenerator<readonly StoredValue[]> {
  for (let at = 0; at < objects.length; at += 500) yield objects.slice(at, at + 500)
}

/** Compares the objects. @throws StartError with the first difference. */
function checkEqual(wanted: readonly StoredValue[], found: readonly StoredValue[]): void {
  const different = wanted.find((one, at) => {
    const other = found[at]
    return other === undefined || other.revision !== one.revision || !isSameContent(one, other)
  })
  if (different !== undefined || found.length !== wanted.length)
    throw new StartError(
      `what was written differs from its source at ${different?.key ?? 'its end'}`,
    )
}
