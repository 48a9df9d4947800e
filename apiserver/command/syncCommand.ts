import { unwatchFile, watchFile } from 'node:fs'
import { configWarnings } from '../../syncer/config/configProblems.ts'
import { failureFields } from '../../syncer/engine/syncFailure.ts'
import { startSyncer, type RunningSyncer } from '../../syncer/startSyncer.ts'
import type { SyncOptions } from './config/syncSettings.ts'
import { createLogger, type Logger } from '../runtime/logging.ts'
import { realClock } from '../runtime/realClock.ts'
import { realRandom } from '../runtime/realRandom.ts'
import { StartError } from '../runtime/startError.ts'
import { inSentences, readSyncFile } from './syncFiles.ts'

const configPollMs = 2_000

/**
 * Syncs between two kubeconfigs until it is stopped.
 * @throws StartError with problems of the configuration; Error if a file cannot be read.
 */
export async function syncBetween(
  { virtualKubeconfig, hostKubeconfig, config: file, namesDomain, logLevel, ...rest }: SyncOptions,
  { stopRequested, started }: { stopRequested: Promise<void>; started: () => Promise<void> },
): Promise<void> {
  const log = createLogger({ level: logLevel, clock: realClock })
  const decoded = await readConfig(file)
  warnOf(decoded, { file, log })
  const syncer = await inSentences({ config: file ?? '' }, () =>
    startSyncer({
      ...rest,
      virtual: { kubeconfig: virtualKubeconfig },
      host: { kubeconfig: hostKubeconfig },
      domain: namesDomain,
      config: decoded,
      clock: realClock,
      random: realRandom,
      report: (error) => log.warn(failureFields(error), 'sync failed; retrying'),
    }),
  )
  if (file !== undefined) follow(file, syncer, log)
  await Promise.race([syncer.ready(), stopRequested])
  await started()
  await stopRequested
  if (file !== undefined) unwatchFile(file)
  await syncer.stop()
}

function follow(file: string, syncer: RunningSyncer, log: Logger): void {
  watchFile(file, { interval: configPollMs }, () => {
    readConfig(file)
      .then((config) => {
        warnOf(config, { file, log })
        return syncer.update(config)
      })
      .then(() => log.info({ file }, 'configuration applied'))
      .catch((err: unknown) =>
        log.error({ err, file }, 'invalid configuration ignored; keeping the previous one'),
      )
  })
}

function warnOf(config: unknown, { file, log }: { file: string | undefined; log: Logger }): void {
  for (const warning of configWarnings(config))
    log.warn({ file, warning }, 'check the configuration')
}

async function readConfig(file: string | undefined): Promise<unknown> {
  if (file === undefined) return {}
  const [config, ...more] = await readSyncFile(file)
  if (more.length > 0) throw new StartError(`${file}: more than one document`)
  return config
}
