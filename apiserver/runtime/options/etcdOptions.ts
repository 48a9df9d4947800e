/** Connection to etcd and its maintenance; used with `storage: 'etcd'` only. */
export interface EtcdOptions {
  /** `http://host:port` or `https://host:port`, one a member; at least one is needed. */
  servers: readonly string[]
  /** All keys begin with this. Default `/platform`. */
  prefix: string
  /** PEM file of the authorities of etcd's certificates. Undefined: those that the system trusts. */
  caFile: string | undefined
  /** PEM files of a client certificate and its key; both or neither. */
  certFile: string | undefined
  keyFile: string | undefined
  /** Files that hold a user's name and password; both or neither. Undefined: no authentication. */
  usernameFile: string | undefined
  passwordFile: string | undefined
  /** Interval of compaction. Default 5 minutes; 0: left to others. */
  compactionIntervalMs: number
  /** Timeout of health checks, after which etcd counts as failed. Default 2 seconds. */
  healthcheckTimeoutMs: number
}

export const defaultEtcd: Readonly<EtcdOptions> = {
  servers: [],
  prefix: '/platform',
  caFile: undefined,
  certFile: undefined,
  keyFile: undefined,
  usernameFile: undefined,
  passwordFile: undefined,
  compactionIntervalMs: 300_000,
  healthcheckTimeoutMs: 2_000,
}
