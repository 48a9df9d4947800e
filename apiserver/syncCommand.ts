import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readDocument } from '../syncer/explain/readDocuments.ts'
import { startSyncer, type RunningSyncer } from '../syncer/startSyncer.ts'
import type { SyncOptions } from './config/syncSettings.ts'
import { createLogger, type Logger } from './logging.ts'
import { realClock } from './realClock.ts'
import { realRandom } from './realRandom.ts'

const configPollMs = 2_000

/** Syncs between two kubeconfigs until it is asked to stop.
 *  @throws SyncConfigError; Error where a file cannot be read. */
export async function syncBetween(
  { virtualKubeconfig, hostKubeconfig, config: file, namesDomain, logLevel, ...rest }: SyncOptions,
  { stopRequested, started }: { stopRequested: Promise<void>; started: () => Promise<void> },
): Promise<void> {
  const log = createLogger({ level: logLevel, clock: realClock })
  const syncer = await startSyncer({
    ...rest,
    virtual: { kubeconfig: virtualKubeconfig },
    host: { kubeconfig: hostKubeconfig },
    domain: namesDomain,
    config: await readConfig(file),
    clock: realClock,
    random: realRandom,
    report: (err) => log.warn({ err }, 'syncing failed and is tried again'),
  })
  if (file !== undefined) follow(file, syncer, log)
  await started()
  await stopRequested
  if (file !== undefined) unwatchFile(file)
  await syncer.stop()
}

function follow(file: string, syncer: RunningSyncer, log: Logger): void {
  watchFile(file, { interval: configPollMs }, () => {
    readConfig(file)
      .then((config) => syncer.update(config))
      .then(() => log.info({ file }, 'the configuration was taken over'))
      .catch((err: unknown) => log.error({ err, file }, 'the configuration was not taken over'))
  })
}

async function readConfig(file: string | undefined): Promise<unknown> {
  return file === undefined ? {} : readDocument(await readFile(file, 'utf8'))
}
