import type { Clock, Random } from '../../meta/clock.ts'
import type { Logger } from '../../runtime/logging.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { Encryption } from '../../storage/encryption/encryption.ts'

/**
 * Opens the encryption of the storage. Its code is loaded only if it is configured. @throws
 * StartError.
 */
export async function openEncryption(
  options: Pick<
    ServerOptions,
    'encryptionProviderConfig' | 'encryptionProviderConfigAutomaticReload'
  >,
  { clock, random, log }: { clock: Clock; random: Random; log: Logger },
): Promise<Encryption | undefined> {
  const { encryptionProviderConfig: path } = options
  if (path === undefined) return undefined
  const { Encryption: Opened } = await import('../../storage/encryption/encryption.ts')
  return Opened.open({
    path,
    isReloaded: options.encryptionProviderConfigAutomaticReload,
    ...{ clock, random },
    onReloaded: () => log.info({ path }, 'encryption configuration reloaded'),
    onRefused: (err) =>
      log.error({ err, path }, 'encryption configuration ignored; keeping the previous one'),
  })
}
