/** Which requests are noted, how much of them, and where. Fields as in `Config.status.audit`.
 *  Source: specification, "Config", audit. */
export interface AuditSettings {
  /** Default false: nothing is noted. */
  enabled?: boolean
  /** One of the fixed policies, 1 to 4; see `builtInRules.ts`. Default 1. Excludes `policy`. */
  level?: number
  policy?: AuditPolicy
  /** URL of a PostgreSQL database that takes the events too, `postgres://user:password@host/database`. A secret. */
  dataStoreEndpoint?: string
  /** Hours that events stay in the database. 0 or nothing: for ever. */
  dataStoreTTL?: number
  /** The log file, a JSON object a line; its folder is made. `-`: standard output. Needed when enabled. */
  path?: string
  /** Days that rotated files are kept. 0 or nothing: age removes none. */
  maxAge?: number
  /** How many rotated files are kept. 0 or nothing: all. */
  maxBackups?: number
  /** Megabytes after which the file is rotated. Default 100, also for 0. */
  maxSize?: number
  /** Rotated files are compressed with gzip. Default false. */
  compress?: boolean
}

export interface AuditPolicy {
  /** The first rule that matches decides; none: the request is not noted. Without rules the policy of level 1 holds. */
  rules?: readonly AuditRule[]
  /** Stages that are never noted. */
  omitStages?: readonly string[]
}

/** A request matches when it fits every list that is not empty. */
export interface AuditRule {
  level: string
  users?: readonly string[]
  userGroups?: readonly string[]
  /** Of requests outside the API: the method in lower case. */
  verbs?: readonly string[]
  resources?: readonly AuditResources[]
  /** Names of objects; together with `resources` only. */
  resourceNames?: readonly string[]
  /** The empty text: requests outside every namespace. */
  namespaces?: readonly string[]
  /** Paths outside the API; `*` as the last step stands for all below, alone for every path. */
  nonResourceURLs?: readonly string[]
  omitStages?: readonly string[]
  requestTargets?: readonly string[]
  /** Names of host clusters. */
  clusters?: readonly string[]
}

export interface AuditResources {
  /** Empty for the core group; `*` for every group. */
  group?: string
  /** `name`, `name/subresource`, `*`, `name/*`, `*` + `/subresource`. Empty: all of the group. */
  resources?: readonly string[]
  resourceNames?: readonly string[]
}

/** From nothing to everything; each has what the one before has. */
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

/** What a request is for: the management API, a host cluster, a virtual cluster, or one of the latter two by way of a
 *  project. Source: platform facts 1.7. */
export const requestTargets = [
  'Management',
  'Cluster',
  'VCluster',
  'ProjectSpace',
  'ProjectVCluster',
] as const
export type RequestTarget = (typeof requestTargets)[number]
