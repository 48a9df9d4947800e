/**
 * Requests to record, their level and destination. Fields as in `Config.status.audit`.
 * Source: specification, "Config", audit.
 */
export interface AuditSettings {
  /** Default false: nothing is recorded. */
  enabled?: boolean
  /** A fixed policy, 1 to 4; see `builtInRules.ts`. Default 1. Mutually exclusive with `policy`. */
  level?: number
  policy?: AuditPolicy
  /** URL of a PostgreSQL database that also receives the events, `postgres://user:password@host/database`. A secret. */
  dataStoreEndpoint?: string
  /** Hours to keep events in the database. 0 or absent: forever. */
  dataStoreTTL?: number
  /** The log file, one JSON object per line; its folder is created. `-`: standard output. Required when enabled. */
  path?: string
  /** Days to keep rotated files. 0 or absent: not limited by age. */
  maxAge?: number
  /** Maximum number of rotated files. 0 or absent: unlimited. */
  maxBackups?: number
  /** Size in megabytes at which the file is rotated. Default 100, also for 0. */
  maxSize?: number
  /** True if rotated files are compressed with gzip. Default false. */
  compress?: boolean
}

export interface AuditPolicy {
  /**
   * The first matching rule applies; without a match the request is not recorded. Without rules, the policy of level 1
   * applies.
   */
  rules?: readonly AuditRule[]
  /** Stages that are never recorded. */
  omitStages?: readonly string[]
}

/** A request matches if it matches every non-empty list. */
export interface AuditRule {
  level: string
  users?: readonly string[]
  userGroups?: readonly string[]
  /** Verbs; for requests outside the API the method in lower case. */
  verbs?: readonly string[]
  resources?: readonly AuditResources[]
  /** Names of objects; only together with `resources`. */
  resourceNames?: readonly string[]
  /** The empty string matches requests outside every namespace. */
  namespaces?: readonly string[]
  /** Paths outside the API; `*` as the last segment matches everything below, alone every path. */
  nonResourceURLs?: readonly string[]
  omitStages?: readonly string[]
  requestTargets?: readonly string[]
  /** Names of host clusters. */
  clusters?: readonly string[]
}

export interface AuditResources {
  /** Empty for the core group; `*` for every group. */
  group?: string
  /** `name`, `name/subresource`, `*`, `name/*`, `*` + `/subresource`. Empty: all resources of the group. */
  resources?: readonly string[]
  resourceNames?: readonly string[]
}

/** Ascending; each level includes the previous one. */
export const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]

/** Source: Kubernetes, "Auditing", stages. */
export const auditStages = [
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
] as const
export type AuditStage = (typeof auditStages)[number]

/**
 * Target of a request: the management API, a host cluster, a virtual cluster, or one of the latter two through a
 * project. Source: platform facts 1.7.
 */
export const requestTargets = [
  'Management',
  'Cluster',
  'VCluster',
  'ProjectSpace',
  'ProjectVCluster',
] as const
export type RequestTarget = (typeof requestTargets)[number]
