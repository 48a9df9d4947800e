import type { Clock, Random } from '../../meta/clock.ts'
import type { Logger } from '../../runtime/logging.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import { StartError } from '../../runtime/startError.ts'
import { resealFolder } from '../../storage/level/folder/resealFolder.ts'
import { unsealed } from '../../storage/encryption/sealing.ts'
import { accessTo } from './openStorage.ts'
import { openEncryption } from './openEncryption.ts'
import { storedNames } from './storedNames.ts'

/**
 * Rewrites every stored object as a server with these options would write it: with the newest key, encrypted, or
 * unencrypted. With LevelDB the server has to be stopped; with etcd it may run. Returns the result as a sentence.
 * @throws StartError, StorageError.
 */
export async function migrateStorage(
  options: ServerOptions,
  around: { clock: Clock; random: Random; log: Logger },
): Promise<string> {
  const encryption = await openEncryption(
    { ...options, encryptionProviderConfigAutomaticReload: false },
    around,
  )
  const sealing = encryption ?? unsealed
  try {
    const { rewritten, objects } = await reseal(options, { sealing, clock: around.clock })
    return `rewrote ${rewritten} of ${objects} objects`
  } finally {
    encryption?.stop()
  }
}

async function reseal(
  { storage, dataDir, etcd, names }: ServerOptions,
  how: { sealing: typeof unsealed; clock: Clock },
) {
  const identity = storedNames(names)
  if (storage === 'level' && dataDir !== undefined)
    return resealFolder(dataDir, { identity, ...how })
  if (storage !== 'etcd')
    throw new StartError('storage memory has nothing to rewrite: name --data-dir or --storage etcd')
  const { resealObjects } = await import('../../storage/etcd/resealObjects.ts')
  return resealObjects({ access: await accessTo(etcd), prefix: etcd.prefix, identity, ...how })
}
