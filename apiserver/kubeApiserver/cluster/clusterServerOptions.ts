import type { AuditSettings } from '../../audit/auditSettings.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { Logger } from '../../runtime/logging.ts'
import type { SecretKeeper } from '../../runtime/files/secretFile.ts'
import type { ServerOptions } from '../../runtime/options/serverOptions.ts'
import type { KubeSettings } from '../settings/kubeSettings.ts'

/** Options of the server of one cluster, with the contents of the files named in its flags. */
export interface ClusterServerOptions {
  options: ServerOptions
  settings: KubeSettings
  /** Users by bearer token. */
  tokens: ReadonlyMap<string, UserInfo>
  /** Keys of service account tokens, the signing one first. */
  accountKeys: SecretKeeper
  audit: AuditSettings
  /** True if a write waits until it is on disk. */
  syncsWrites: boolean
  clock: Clock
  random: Random
  log: Logger
}
