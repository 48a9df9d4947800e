/** Connection to etcd and its maintenance; used with `storage: 'etcd'` only. */
export interface EtcdOptions {
  /** URLs of the members, `http://host:port` or `https://host:port`; at least one is required. */
  servers: readonly string[]
  /** Prefix of all keys. Default `/platform`. */
  prefix: string
  /** PEM file of the CAs of etcd's certificates. Undefined: the system's CAs. */
  caFile: string | undefined
  /** PEM files of a client certificate and its key; both or neither. */
  certFile: string | undefined
  keyFile: string | undefined
  /** Files with the user name and the password; both or neither. Undefined: no authentication. */
  usernameFile: string | undefined
  passwordFile: string | undefined
  /** Interval of compaction. Default 5 minutes; 0: other programs compact. */
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
