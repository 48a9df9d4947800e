import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../meta/clock.ts'
import { StartError } from '../runtime/startError.ts'
import { serverVersion } from '../runtime/serverVersion.ts'
import type { BackupHeader } from '../storage/backup/backupFormat.ts'
import { readBackup } from '../storage/backup/readBackup.ts'
import { writeBackup } from '../storage/backup/writeBackup.ts'
import { StorageError } from '../storage/errors.ts'
import { withFolderState } from '../storage/level/folder/folderState.ts'
import { emptyFolder, restoreFolder } from '../storage/level/folder/restoreFolder.ts'
import { restoredRevision } from '../storage/backup/restoredRevision.ts'
import type { StoredValue } from '../storage/storage.ts'
import { Progress, type ProgressOutput } from './backupProgress.ts'
import type { BackupCommand, BackupOptions } from './config/backupSettings.ts'
import { readKeyFiles, writeKeyFile } from '../storage/backup/keyFiles.ts'
import { downloadBackup } from './downloadBackup.ts'
import { writeNewFile } from '../runtime/files/newFile.ts'

interface Surroundings extends ProgressOutput {
  clock: Clock
}

/**
 * Runs one of the commands and returns the result as a sentence. @throws StartError, StorageError.
 */
export function runBackup(
  command: BackupCommand,
  options: BackupOptions,
  around: Surroundings,
): Promise<string> {
  // readBackupOptions requires them.
  const { dataDir, out = '', from = '' } = options
  switch (command) {
    case 'backup':
      return options.kubeconfig === undefined
        ? backUpFolder(dataDir, out, around)
        : backUpServer(options.kubeconfig, out, around)
    case 'restore':
      return options.kubeconfig === undefined
        ? restore(from, dataDir, around)
        : restoreSelected(options, options.kubeconfig, around)
    case 'verify':
      return from === '' ? verifyFolder(dataDir) : verifyFile(from, around)
  }
}

async function backUpFolder(dataDir: string, out: string, around: Surroundings): Promise<string> {
  const work = withFolderState(dataDir, async (state) => {
    const contents = {
      ...state,
      serverVersion: serverVersion(),
      createdMs: around.clock.now(),
      files: await readKeyFiles(dataDir),
    }
    return written(out, writeBackup(contents), around)
  })
  return work.catch((error: unknown) => {
    if (!(error instanceof StorageError) || error.code !== 'Locked') throw error
    throw new StartError(`${error.message}; back up a running server with --kubeconfig`, error)
  })
}

function backUpServer(kubeconfig: string, out: string, around: Surroundings): Promise<string> {
  return written(out, downloadBackup(kubeconfig, around.clock), around)
}

async function restoreSelected(
  options: BackupOptions,
  kubeconfig: string,
  around: Surroundings,
): Promise<string> {
  const { from = '', namespace, resource, name, encryptionProviderConfig } = options
  const { restoreObjects } = await import('./restoreObjects/restoreObjects.ts') // loads the client library
  return restoreObjects(
    {
      ...{ from, kubeconfig, encryptionProviderConfig },
      selection: { namespace, resource, name },
      isReplacing: options.replace === true,
      isDryRun: options.dryRun === true,
    },
    around,
  )
}

/** Writes a backup, and verifies the same bytes that are written to disk. */
async function written(
  out: string,
  pieces: AsyncIterable<Buffer>,
  around: Surroundings,
): Promise<string> {
  const progress = new Progress(around)
  await writeNewFile(out, progress.verified(pieces, 'the backup'))
  return `backed up ${progress.summary()} to ${out}`
}

async function verifyFile(from: string, around: Surroundings): Promise<string> {
  const progress = new Progress(around)
  for await (const part of readBackup(progress.counted(createReadStream(from)), from))
    progress.note(part)
  return `${from} is a whole backup of ${progress.summary()}`
}

function verifyFolder(dataDir: string): Promise<string> {
  return withFolderState(dataDir, async ({ objects, revision }) => {
    return `${dataDir} is undamaged: ${objects.length} objects at revision ${revision}`
  })
}

async function restore(from: string, dataDir: string, around: Surroundings): Promise<string> {
  const progress = new Progress(around)
  const parts = readBackup(progress.counted(createReadStream(from)), from)
  const first = await parts.next()
  if (first.done === true || !('header' in first.value))
    throw new StartError(`${from} has no header`)
  const { header } = first.value
  progress.note(first.value)
  await emptyFolder(dataDir)
  try {
    await restoreParts(dataDir, { header, parts, progress, now: around.clock.now() })
  } catch (error) {
    await removeAll(dataDir)
    throw error
  }
  return `restored ${progress.summary()} into ${dataDir}`
}

interface RestoreParts {
  header: BackupHeader
  parts: ReturnType<typeof readBackup>
  progress: Progress
  now: number
}

function restoreParts(
  dataDir: string,
  { header, parts, progress, now }: RestoreParts,
): Promise<void> {
  async function* batches(): AsyncGenerator<readonly StoredValue[]> {
    for await (const part of parts) {
      progress.note(part)
      if ('objects' in part) yield part.objects
      if ('file' in part) await writeKeyFile(dataDir, part.file)
    }
  }
  const { identity } = header
  const revision = restoredRevision(header, now)
  return restoreFolder(dataDir, { identity, revision, batches: batches() })
}

/** Removes everything that a failed restore created in an empty folder. */
async function removeAll(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name !== 'lost+found') await rm(join(dataDir, name), { recursive: true, force: true })
}
