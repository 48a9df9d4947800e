import { defaultDelegation, type DelegationOptions } from './delegationOptions.ts'
import { defaultEtcd, type EtcdOptions } from './etcdOptions.ts'
import { namesProfile, type NamesProfile } from '../meta/names/namesProfile.ts'

/** What a server is started with. `command/config/settings.ts` makes it from the command line; tests give the part they mean. */
export interface ServerOptions {
  /** Folder of objects and certificates, made when absent. Default `.data`. Undefined: nothing is kept on disk, which
   *  only `storage: 'memory'` allows; with 'memory' and a folder, the certificates alone are kept there. */
  dataDir: string | undefined
  /** Default 'level'. 'memory' forgets everything at stop. 'etcd': in etcd, see `etcd`; the data folder keeps keys and
   *  certificates alone. */
  storage: ServedStorage
  etcd: EtcdOptions
  /** Where the data folder is damaged, go on with what can be read of it. Default false: the start is refused. */
  acceptDataLoss: boolean
  /** Address of the HTTPS listener. Default `127.0.0.1`; `0.0.0.0` or `::` for every address of the machine. */
  bindAddress: string
  /** Port of the HTTPS listener. Default 8443; 0: any free port. */
  securePort: number
  /** Port of a plain HTTP listener on 127.0.0.1. Undefined (default): no such listener; 0: any free port. */
  insecurePort: number | undefined
  /** PEM file of an own serving certificate, leaf first. Undefined: one is made and renewed. */
  tlsCertFile: string | undefined
  /** Names and addresses that the made certificate holds for too. Default none. */
  tlsSan: readonly string[]
  /** PEM file of its private key. Set if and only if `tlsCertFile` is. */
  tlsPrivateKeyFile: string | undefined
  /** File to write the admin's kubeconfig to at every start. Undefined: none is written. */
  kubeconfigOut: string | undefined
  /** Access key of the user `admin`, a secret. Undefined: random at the first start, then kept. */
  adminAccessKey: string | undefined
  /** Password of the user `admin`, a secret, or its SHA-256 in lower-case hex. It is stored where none is. Undefined:
   *  none is set. */
  adminPassword: string | undefined
  /** YAML file of the platform's configuration (`Config.status`). It is stored where it differs from the file that was
   *  taken over last. Undefined: what is stored holds. */
  platformConfigFile: string | undefined
  /** What placeholders in the platform's configuration stand for. Default: nothing. */
  environment: Readonly<Record<string, string | undefined>>
  names: NamesProfile
  history: HistoryOptions
  /** How long an event stays after its last write. Default 3600; 0: until somebody deletes it. */
  eventTtlSeconds: number
  /** Bytes that an object may have as it is stored. Default 1.5 MiB. */
  maxObjectBytes: number
  /** Access keys that a user, and a team, may have beside those of logins; superusers make more. Default 100; 0: any
   *  number. */
  maxAccessKeys: number
  /** Requests that only read and may run at once; more are answered 429. Default 400. Watches do not count, and
   *  `system:masters` are never turned away. */
  maxRequestsInflight: number
  /** The same for requests that may change something. Default 200. */
  maxMutatingRequestsInflight: number
  /** Origins that a browser's page may call from, and open websockets from: regular expressions, each to match the whole
   *  origin. Default none: no CORS headers, and no rule for websockets. */
  corsAllowedOrigins: readonly string[]
  /** Proxies whose `X-Forwarded-For`, `-Host` and `-Proto` logins believe: IP addresses, and networks as `10.0.0.0/8`.
   *  Default none: a request comes from the peer of its connection. */
  trustedProxies: readonly string[]
  delegation: DelegationOptions
  /** How long stop() lets running requests end before it cuts them off. Default 10; 0: cuts at once. */
  shutdownGraceSeconds: number
  /** Default 'info'. 'silent' logs nothing. */
  logLevel: LogLevel
}

/** How long old revisions stay readable for watches, continue tokens and reads at a revision. A revision is dropped
 *  in the background, some time after one of the two bounds is passed. */
export interface HistoryOptions {
  /** Younger history is kept. Default 600; 0: age keeps nothing. */
  retainSeconds: number
  /** At most about this many revisions are kept, even young ones. Default 1,000,000; 0: no bound. */
  retainRevisions: number
}

export type ServedStorage = 'level' | 'memory' | 'etcd'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Server options with anything left out; see `serverOptions`. */
export type GivenServerOptions = Partial<
  Omit<ServerOptions, 'names' | 'history' | 'delegation' | 'etcd'>
> & {
  names?: Partial<NamesProfile>
  history?: Partial<HistoryOptions>
  delegation?: Partial<DelegationOptions>
  etcd?: Partial<EtcdOptions>
}

/** A server that answers requests. */
export interface RunningServer {
  /** Base URL of the HTTPS listener without a slash at its end, with an address that reaches it from this machine. */
  url: string
  /** The same for plain HTTP; undefined when there is no such listener. */
  insecureUrl: string | undefined
  /** PEM of the certificates a client of `url` has to trust; undefined: what the client's system trusts. */
  caCertificate: string | undefined
  /** The admin's access key, a secret. */
  adminAccessKey: string
  /** Takes no new requests, lets running ones end within the grace time, closes the storage. A second call waits for
   *  the first. */
  stop(): Promise<void>
}

export const defaultServerOptions: Readonly<Omit<ServerOptions, 'names'>> = {
  dataDir: '.data',
  storage: 'level',
  etcd: defaultEtcd,
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
  trustedProxies: [],
  delegation: defaultDelegation,
  shutdownGraceSeconds: 10,
  logLevel: 'info',
}

/** `given` with the defaults filled in, also for what is given as undefined. With 'memory' storage, `dataDir` stays
 *  undefined unless it is given. */
export function serverOptions(given: GivenServerOptions = {}): ServerOptions {
  const { dataDir, ...defaults } = defaultServerOptions
  return {
    dataDir: given.storage === 'memory' ? undefined : dataDir,
    ...defaults,
    ...defined(given),
    names: namesProfile(defined(given.names)),
    history: { ...defaults.history, ...defined(given.history) },
    delegation: { ...defaults.delegation, ...defined(given.delegation) },
    etcd: { ...defaults.etcd, ...defined(given.etcd) },
  }
}

/** What is undefined would hide its default. */
function defined<T extends object>(given: T | undefined): T {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined)
  // Every member of what is given may be left out.
  return Object.fromEntries(entries) as T
}
