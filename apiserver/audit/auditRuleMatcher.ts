import type { UserInfo } from '../meta/types.ts'
import type { AuditResources, AuditRule, RequestTarget } from './auditSettings.ts'

/** The attributes of a request that a policy matches. */
export interface AuditAttributes {
  /** The authenticated user, before any impersonation; undefined: anonymous. */
  user: UserInfo | undefined
  verb: string
  isResource: boolean
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
  path: string
  target: RequestTarget
  /** Name of the host cluster or virtual cluster; empty: none. */
  cluster: string
}

export type Matches = (request: AuditAttributes) => boolean

/** Compiles a rule into a predicate. Source: Kubernetes, "Auditing", audit policy; specification, "Config", audit. */
export function ruleMatcher(rule: AuditRule): Matches {
  const conditions = [
    among(rule.verbs, ({ verb }) => verb),
    among(rule.requestTargets, ({ target }) => target),
    among(rule.clusters, ({ cluster }) => cluster),
    resourceCondition(rule),
    urlCondition(rule.nonResourceURLs ?? []),
    among(rule.users, ({ user }) => user?.name),
    groupCondition(rule.userGroups ?? []),
  ].filter((condition) => condition !== undefined)
  return (request) => conditions.every((condition) => condition(request))
}

function among(
  names: readonly string[] | undefined,
  valueOf: (request: AuditAttributes) => string | undefined,
): Matches | undefined {
  if (names === undefined || names.length === 0) return undefined
  const known = new Set<string | undefined>(names)
  return (request) => known.has(valueOf(request))
}

function groupCondition(groups: readonly string[]): Matches | undefined {
  if (groups.length === 0) return undefined
  return ({ user }) => user !== undefined && user.groups.some((group) => groups.includes(group))
}

function urlCondition(urls: readonly string[]): Matches | undefined {
  if (urls.length === 0) return undefined
  const fits = (path: string) => (url: string) =>
    url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : path === url
  return ({ isResource, path }) => !isResource && urls.some(fits(path))
}

function resourceCondition(rule: AuditRule): Matches | undefined {
  const { resources = [], namespaces = [], resourceNames = [] } = rule
  if (resources.length === 0 && namespaces.length === 0) return undefined
  const entries = resources.map(entryMatcher)
  return (request) =>
    request.isResource &&
    (namespaces.length === 0 || namespaces.includes(request.namespace)) &&
    (resourceNames.length === 0 || resourceNames.includes(request.name)) &&
    (entries.length === 0 || entries.some((fits) => fits(request)))
}

function entryMatcher({ group = '', resources = [], resourceNames = [] }: AuditResources): Matches {
  const patterns = resources.map(patternMatcher)
  return (request) => {
    if (group !== '*' && group !== request.group) return false
    if (patterns.length === 0) return true
    if (resourceNames.length > 0 && !resourceNames.includes(request.name)) return false
    return patterns.some((fits) => fits(request))
  }
}

/** Parsed only once, since every request is matched. */
function patternMatcher(pattern: string): Matches {
  if (pattern === '*') return () => true
  const [first, second = ''] = pattern.split('/')
  if (first === '*') return ({ subresource }) => subresource === second
  if (second === '*') return ({ resource }) => resource === first
  return ({ resource, subresource }) => resource === first && subresource === second
}
