import type { NamesProfile } from '../../meta/names/namesProfile.ts'

/**
 * A scope as stored. Lists are combined by union; an empty or absent list grants nothing.
 * Source: specification, "Scope".
 */
export interface AccessKeyScope {
  roles?: ScopeRole[]
  projects?: { project?: string }[]
  spaces?: { project?: string; space?: string }[]
  virtualClusters?: { project?: string; virtualCluster?: string }[]
  clusters?: { cluster?: string }[]
  rules?: ScopeRule[]
}

export interface ScopeRole {
  role?: string
  projects?: string[]
  virtualClusters?: string[]
}

/** Rule of a scope, which matches if all its parts match; an empty part matches everything. */
export interface ScopeRule {
  verbs?: string[]
  resources?: ScopeResources[]
  resourceNames?: string[]
  namespaces?: string[]
  nonResourceURLs?: string[]
  requestTargets?: string[]
  cluster?: string
  virtualClusters?: { name?: string; namespace?: string }[]
}

export interface ScopeResources {
  /** API group; empty: the core group. */
  group?: string
  resources?: string[]
  resourceNames?: string[]
}

const lists = ['roles', 'projects', 'spaces', 'virtualClusters', 'clusters', 'rules'] as const

/** Name of the deprecated flag that grants the role of command-line clients. */
export function cliFlag({ platform }: NamesProfile): string {
  return `allow${platform.charAt(0).toUpperCase()}${platform.slice(1)}Cli`
}

/** Reports whether the scope restricts anything: it has an entry, or the deprecated flag is set. */
export function isRestricting(scope: Record<string, unknown>, names: NamesProfile): boolean {
  return countEntries(scope) > 0 || scope[cliFlag(names)] === true
}

/** Total number of entries in all lists. */
export function countEntries(scope: Record<string, unknown>): number {
  return lists.reduce((sum, list) => {
    const entries = scope[list]
    return sum + (Array.isArray(entries) ? entries.length : 0)
  }, 0)
}
