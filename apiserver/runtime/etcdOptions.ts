/** How etcd is reached, and what is asked of it; used with `storage: 'etcd'` alone. */
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
  /** How often history is compacted. Default 5 minutes; 0: others do it. */
  compactionIntervalMs: number
  /** How long etcd may take to answer before it counts as failed. Default 2 seconds. */
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
