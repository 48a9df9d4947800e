import { connectionTo } from '../../../syncer/client/openPlane.ts'
import type { Clock } from '../../meta/clock.ts'
import type { ApiObject } from '../../meta/types.ts'
import { realRandom } from '../../runtime/realRandom.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'
import { Encryption } from '../../storage/encryption/encryption.ts'
import { unsealed } from '../../storage/encryption/sealing.ts'
import { Progress, type ProgressOutput } from '../backupProgress.ts'
import { BackupFile } from './backupFile.ts'
import { ObjectClient } from './objectClient.ts'
import { ObjectRestore, type Restored } from './objectRestore.ts'
import { planePrefix } from './planeOfBackup.ts'
import { inOrder } from './restorable.ts'
import { selectKeys, type Selection } from './selection.ts'

export interface ObjectRestoreOptions {
  from: string
  kubeconfig: string
  selection: Selection
  isReplacing: boolean
  isDryRun: boolean
  /** File of an EncryptionConfiguration, needed for a backup with encrypted values. */
  encryptionProviderConfig: string | undefined
}

interface Surroundings extends ProgressOutput {
  clock: Clock
}

/**
 * Restores the selected objects of a backup into a running server through its API, and returns the
 * result as a sentence. Nothing is written before the whole backup has been verified.
 * @throws StartError, even if only a single object could not be restored.
 */
export async function restoreObjects(
  options: ObjectRestoreOptions,
  around: Surroundings,
): Promise<string> {
  const { from, kubeconfig, selection, encryptionProviderConfig: path } = options
  const connection = await connectionTo({ kubeconfig }, around.clock).catch((error: unknown) => {
    throw cannotRead(`the kubeconfig ${kubeconfig}`, error)
  })
  const random = realRandom
  const encryption =
    path && (await Encryption.open({ path, isReloaded: false, clock: around.clock, random }))
  const client = new ObjectClient(connection)
  try {
    const backup = new BackupFile(from, encryption || unsealed, () => new Progress(around))
    const prefix = await planePrefix(connection.base, backup)
    const objects = await backup.objects(selectKeys(prefix, selection))
    if (objects.length === 0) throw new StartError(`${from} has no such objects`)
    const restore = new ObjectRestore({ ...options, client })
    const results: Restored[] = []
    for (const object of inOrder(objects)) {
      const restored = await restore.restore(object)
      around.writeProgress(`${nameOf(object)}: ${restored.text}`)
      results.push(restored)
    }
    return summary(results, options)
  } finally {
    client.close()
    if (encryption) encryption.stop()
  }
}

function nameOf({ kind, metadata: { namespace, name = '' } }: ApiObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** Summary of the results. @throws StartError if objects still differ from the backup. */
function summary(results: readonly Restored[], { isDryRun }: ObjectRestoreOptions): string {
  const count = (wanted: Restored['result']) =>
    results.filter(({ result }) => result === wanted).length
  const [conflicts, refused] = [count('conflict'), count('refused')]
  const verb = isDryRun ? 'would be ' : ''
  const done = `${verb}created: ${count('created')}, ${verb}replaced: ${count('replaced')}, unchanged: ${count('unchanged')}`
  if (conflicts + refused === 0) return done
  const left = conflicts > 0 ? '; --replace replaces objects that exist with other content' : ''
  throw new StartError(`${done}, left as they are: ${conflicts}, refused: ${refused}${left}`)
}
