/**
 * Requests to record, their level and destination. Fields as in `Config.status.audit`.
 * Source: specification, "Config", audit.
 */
export interface AuditSettings {
  /** True if requests are recorded. Default false. */
  enabled?: boolean
  /**
   * Number of a fixed policy, 1 to 4; see `builtInRules.ts`. Default 1. Mutually exclusive with
   * `policy`.
   */
  level?: number
  policy?: AuditPolicy
  /**
   * URL of a PostgreSQL database that also receives the events:
   * `postgres://user:password@host/database`. A secret. Absent: no database.
   */
  dataStoreEndpoint?: string
  /** Hours to keep events in the database. 0 or absent: forever. */
  dataStoreTTL?: number
  /**
   * The log file, with one JSON object per line; its folder is created. `-`: standard output.
   * Required when enabled.
   */
  path?: string
  /** Days to keep rotated files. 0 or absent: no age limit. */
  maxAge?: number
  /** Maximum number of rotated files. 0 or absent: unlimited. */
  maxBackups?: number
  /** Size in megabytes at which the file is rotated. Default 100, also if 0. */
  maxSize?: number
  /** True if rotated files are compressed with gzip. Default false. */
  compress?: boolean
}

export interface AuditPolicy {
  /**
   * Rules, of which the first match applies; a request without a match is not recorded. Without
   * rules, the policy of level 1 applies.
   */
  rules?: readonly AuditRule[]
  /** Stages that are never recorded. */
  omitStages?: readonly string[]
}

/** Audit rule. A request matches if it matches every non-empty list. */
export interface AuditRule {
  level: string
  users?: readonly string[]
  userGroups?: readonly string[]
  /** Verbs; for requests outside the API, the method in lower case. */
  verbs?: readonly string[]
  resources?: readonly AuditResources[]
  /** Names of objects; only together with `resources`. */
  resourceNames?: readonly string[]
  /** Namespaces; the empty string matches requests outside of namespaces. */
  namespaces?: readonly string[]
  /**
   * Paths outside the API. `*` as the last segment matches everything below; `*` alone matches
   * every path.
   */
  nonResourceURLs?: readonly string[]
  omitStages?: readonly string[]
  requestTargets?: readonly string[]
  /** Names of host clusters. */
  clusters?: readonly string[]
}

export interface AuditResources {
  /** API group. Empty: the core group; `*`: every group. */
  group?: string
  /** `name`, `name/subresource`, `*`, `name/*`, `*` + `/subresource`. Empty: all resources of the group. */
  resources?: readonly string[]
  resourceNames?: readonly string[]
}

/** Audit levels in ascending order; each includes the previous one. */
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
 * Target of a request: the management API, a host cluster, a virtual cluster, or either of these
 * through a project. Source: platform facts 1.7.
 */
export const requestTargets = [
  'Management',
  'Cluster',
  'VCluster',
  'ProjectSpace',
  'ProjectVCluster',
] as const
export type RequestTarget = (typeof requestTargets)[number]
