import { findData } from '../envtest/findData.ts'
import type { FlagValues } from '../flags/kubeFlagValues.ts'
import { createLogger, type Logger } from '../../runtime/logging.ts'
import { realClock } from '../../runtime/realClock.ts'
import { realRandom } from '../../runtime/realRandom.ts'
import { accountKeys } from '../settings/accountKeys.ts'
import { auditSettings } from '../settings/auditFile.ts'
import { kubeSettings } from '../settings/kubeSettings.ts'
import { chosenPlugins } from '../settings/pluginNames.ts'
import { serverSettings } from '../settings/serverSettings.ts'
import { readTokenFile } from '../settings/tokenFile.ts'
import { ClusterServer } from './clusterServer.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the files named in the flags, and starts the server; resolves when its API is complete.
 * @throws StartError, StorageError; the system's error if the address is unavailable.
 */
export async function openClusterServer(
  values: FlagValues,
  env: Environment,
): Promise<ClusterServer> {
  const settings = kubeSettings(values, env)
  const clock = realClock
  const [{ place, syncsWrites }, tokens, keys, audit] = await Promise.all([
    findData(settings.etcdServers, clock),
    settings.tokenAuthFile === undefined ? new Map() : readTokenFile(settings.tokenAuthFile),
    accountKeys(settings),
    auditSettings(settings.audit, values),
  ])
  const options = serverSettings(values, place)
  const log = createLogger({ level: options.logLevel, clock })
  const server = new ClusterServer({
    ...{ options, settings, tokens, audit, syncsWrites, clock, log },
    accountKeys: keys,
    random: realRandom,
  })
  try {
    const url = await server.start()
    log.info({ url, ...place }, 'serving')
    noteIgnored(values, (fields, message) => log.info(fields, message))
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Logs options without effect. */
function noteIgnored(values: FlagValues, note: Logger['info']): void {
  const flags = values.ignored().map((name) => `--${name}`)
  if (flags.length > 0) note({ flags }, 'flags without effect')
  const { ignored: plugins } = chosenPlugins(values.list('enable-admission-plugins'), [])
  if (plugins.length > 0) note({ plugins }, 'admission plugins without effect')
}
