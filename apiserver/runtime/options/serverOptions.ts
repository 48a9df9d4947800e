import { defaultDelegation, type DelegationOptions } from './delegationOptions.ts'
import { defaultEtcd, type EtcdOptions } from './etcdOptions.ts'
import { namesProfile, type NamesProfile } from '../../meta/names/namesProfile.ts'
import { defaultBackup, type BackupSchedule } from './backupSchedule.ts'

/**
 * Options of a server. `command/config/settings.ts` creates them from the command line; tests set only what they need.
 */
export interface ServerOptions {
  /**
   * Folder of objects and certificates, created if missing. Default `.data`. Undefined: nothing is kept on disk, which
   * requires `storage: 'memory'`; with 'memory' and a folder, only the certificates are kept there.
   */
  dataDir: string | undefined
  /**
   * Storage of objects. Default 'level'. 'memory' loses everything at stop. 'etcd': in etcd, see `etcd`; the data
   * folder only contains keys and certificates.
   */
  storage: ServedStorage
  etcd: EtcdOptions
  backup: BackupSchedule
  /** True to continue with the readable part of a damaged data folder. Default false: the start is refused. */
  acceptDataLoss: boolean
  /** Address of the HTTPS listener. Default `127.0.0.1`; `0.0.0.0` or `::` listens on every address. */
  bindAddress: string
  /** Port of the HTTPS listener. Default 8443; 0: any free port. */
  securePort: number
  /** Port of a plain HTTP listener on 127.0.0.1. Undefined (default): no such listener; 0: any free port. */
  insecurePort: number | undefined
  /** PEM file of your own serving certificate, leaf first. Undefined: a certificate is generated and renewed. */
  tlsCertFile: string | undefined
  /** Additional subject alternative names for the generated certificate. Default none. */
  tlsSan: readonly string[]
  /** PEM file of the private key of `tlsCertFile`. Both are set or neither. */
  tlsPrivateKeyFile: string | undefined
  /** File for the admin's kubeconfig, written at every start. Undefined: not written. */
  kubeconfigOut: string | undefined
  /** Access key of the user `admin`, a secret. Undefined: random at the first start, then kept. */
  adminAccessKey: string | undefined
  /**
   * Password of the user `admin`, a secret, or its SHA-256 in lower-case hex. Set only if admin has no password yet.
   * Undefined: no password is set.
   */
  adminPassword: string | undefined
  /**
   * YAML file of the platform's configuration (`Config.status`). It is stored if it differs from the last applied file.
   * Undefined: the stored configuration stays in effect.
   */
  platformConfigFile: string | undefined
  /** Values of placeholders in the platform's configuration. Default: none. */
  environment: Readonly<Record<string, string | undefined>>
  names: NamesProfile
  history: HistoryOptions
  /** Time to keep an event after its last write. Default 3600; 0: until it is deleted. */
  eventTtlSeconds: number
  /** Maximum size of a stored object in bytes. Default 1.5 MiB. */
  maxObjectBytes: number
  /**
   * Maximum number of access keys of a user or a team, not counting keys created by logins;
   * superusers may create more. Default 100; 0: unlimited.
   */
  maxAccessKeys: number
  /**
   * Maximum number of concurrent read requests; further requests get 429. Default 400. Watches do not count, and
   * `system:masters` is exempt.
   */
  maxRequestsInflight: number
  /** Maximum number of concurrent requests that may change something; see `maxRequestsInflight`. Default 200. */
  maxMutatingRequestsInflight: number
  /**
   * Origins of web pages that may call the API and open websockets: regular expressions that match the whole origin.
   * Default none: no CORS headers, and websockets from any origin.
   */
  corsAllowedOrigins: readonly string[]
  /** Names of admission plugins enabled in addition to the default ones. Default none. */
  enableAdmissionPlugins: readonly string[]
  /** Names of disabled admission plugins. Default none. */
  disableAdmissionPlugins: readonly string[]
  /** File of an AdmissionConfiguration for the plugins that need one. Undefined: none. */
  admissionControlConfigFile: string | undefined
  /** True if the web console is served at `/console/`, if it was built. Default true. */
  console: boolean
  /**
   * Enabled Kubernetes controllers: names, `*` for all others, and names after a minus sign to disable them. Default
   * `['*']`.
   */
  controllers: readonly string[]
  /**
   * File of an EncryptionConfiguration: kinds that are encrypted in the storage and in backups, with their keys.
   * Undefined: none.
   */
  encryptionProviderConfig: string | undefined
  /** True if a changed file takes effect without a restart. Default false. */
  encryptionProviderConfigAutomaticReload: boolean
  /**
   * Proxies whose `X-Forwarded-For`, `-Host` and `-Proto` headers are trusted for logins: IP addresses and networks
   * such as `10.0.0.0/8`. Default none: the client is the peer of the connection.
   */
  trustedProxies: readonly string[]
  delegation: DelegationOptions
  /** Time that stop() lets running requests finish before it aborts them. Default 10; 0: aborts at once. */
  shutdownGraceSeconds: number
  /** Default 'info'. 'silent' logs nothing. */
  logLevel: LogLevel
  /** Form of log lines. Undefined (default): text if standard error is a terminal, otherwise JSON. */
  logFormat: LogFormat | undefined
  /** True if users with the right to `/debug/*` may take CPU profiles and heap snapshots. Default false. */
  profiling: boolean
  tracing: TracingOptions
}

/**
 * Retention of old revisions for watches, continue tokens and reads at a revision. A revision is dropped in the
 * background, some time after one of the two bounds is exceeded.
 */
export interface HistoryOptions {
  /** History younger than this is kept. Default 600; 0: no history is kept because of its age. */
  retainSeconds: number
  /** Maximum number of revisions kept, even if they are young. Default 1,000,000; 0: unlimited. */
  retainRevisions: number
}

/** Traces of requests, sent by OTLP over HTTP as JSON. */
export interface TracingOptions {
  /** Base URL of the collector, such as `http://127.0.0.1:4318`. Undefined (default): requests are not traced. */
  endpoint: string | undefined
  /** Share of requests that are traced if the client does not request it, in millionths. Default 1,000,000: all. */
  samplingRatePerMillion: number
}

export type ServedStorage = 'level' | 'memory' | 'etcd'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export const logFormats = ['text', 'json'] as const
export type LogFormat = (typeof logFormats)[number]
export type LogLevel = (typeof logLevels)[number]

/** Partial server options; see `serverOptions` for the defaults. */
export type GivenServerOptions = Partial<
  Omit<ServerOptions, 'names' | 'history' | 'delegation' | 'etcd' | 'backup' | 'tracing'>
> & {
  names?: Partial<NamesProfile>
  history?: Partial<HistoryOptions>
  tracing?: Partial<TracingOptions>
  delegation?: Partial<DelegationOptions>
  etcd?: Partial<EtcdOptions>
  backup?: Partial<BackupSchedule>
}

/** A server that accepts requests. */
export interface RunningServer extends AsyncDisposable {
  /** Base URL of the HTTPS listener without a trailing slash, reachable from this machine. */
  url: string
  /** Base URL of the plain HTTP listener; undefined when there is no such listener. */
  insecureUrl: string | undefined
  /** PEM of the certificates that a client of `url` has to trust; undefined: the system's trust store suffices. */
  caCertificate: string | undefined
  /** The admin's access key, a secret. */
  adminAccessKey: string
  /** Client configuration of the admin for the management API, in YAML; contains the access key, a secret. */
  kubeconfig: string
  /**
   * Stops accepting requests, lets running ones end within the grace time, closes the storage. A second call waits for
   * the first.
   */
  stop(): Promise<void>
}

export const defaultServerOptions: Readonly<Omit<ServerOptions, 'names'>> = {
  dataDir: '.data',
  storage: 'level',
  etcd: defaultEtcd,
  backup: defaultBackup,
  acceptDataLoss: false,
  bindAddress: '127.0.0.1',
  securePort: 8443,
  insecurePort: undefined,
  tlsCertFile: undefined,
  tlsPrivateKeyFile: undefined,
  tlsSan: [],
  kubeconfigOut: undefined,
  adminAccessKey: undefined,
  adminPassword: undefined,
  platformConfigFile: undefined,
  environment: {},
  history: { retainSeconds: 600, retainRevisions: 1_000_000 },
  eventTtlSeconds: 3600,
  maxObjectBytes: 1.5 * 1024 * 1024,
  maxAccessKeys: 100,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
  corsAllowedOrigins: [],
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  admissionControlConfigFile: undefined,
  console: true,
  controllers: ['*'],
  encryptionProviderConfig: undefined,
  encryptionProviderConfigAutomaticReload: false,
  trustedProxies: [],
  delegation: defaultDelegation,
  shutdownGraceSeconds: 10,
  logLevel: 'info',
  logFormat: undefined,
  profiling: false,
  tracing: { endpoint: undefined, samplingRatePerMillion: 1_000_000 },
}

/**
 * Fills in the defaults of options that are absent or undefined. With 'memory' storage, `dataDir` stays undefined
 * unless it is set.
 */
export function serverOptions(given: GivenServerOptions = {}): ServerOptions {
  const { dataDir, ...defaults } = defaultServerOptions
  return {
    dataDir: given.storage === 'memory' ? undefined : dataDir,
    ...defaults,
    ...defined(given),
    names: namesProfile(defined(given.names)),
    history: { ...defaults.history, ...defined(given.history) },
    tracing: { ...defaults.tracing, ...defined(given.tracing) },
    delegation: { ...defaults.delegation, ...defined(given.delegation) },
    etcd: { ...defaults.etcd, ...defined(given.etcd) },
    backup: { ...defaults.backup, ...defined(given.backup) },
  }
}

/** Drops undefined members, which would hide their defaults. */
function defined<T extends object>(given: T | undefined): T {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  // Every member of the parameter's type is optional.
  return Object.fromEntries(entries) as T
}
