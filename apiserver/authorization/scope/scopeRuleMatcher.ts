import type { AuthorizationAttributes } from '../authorizer.ts'
import type { RequestTarget } from '../requestTarget.ts'
import type { ScopeResources, ScopeRule } from './accessKeyScope.ts'
import { matchesPath } from './pathPattern.ts'
import type { RequestMatcher } from './requestMatcher.ts'
import { matchesResource } from './resourcePattern.ts'

/** Valid values of `requestTargets`. Source: platform facts 2. */
export const requestTargets = [
  'Management',
  'Cluster',
  'ProjectSpace',
  'ProjectVirtualCluster',
] as const

const nameOfPlane: Readonly<Record<RequestTarget['plane'], (typeof requestTargets)[number]>> = {
  management: 'Management',
  cluster: 'Cluster',
  space: 'ProjectSpace',
  virtualCluster: 'ProjectVirtualCluster',
}

/**
 * Matches requests that a deprecated rule covers: all parts of the rule must match. A rule with
 * resources or namespaces matches no path outside the API, and a rule with paths matches no
 * resource.
 * Source: specification, "Scope", rules; platform facts 2, "Rule matching semantics".
 */
export function ruleMatcher(rule: ScopeRule, projectNamespacePrefix: () => string): RequestMatcher {
  const namesResources =
    isGiven(rule.resources) || isGiven(rule.namespaces) || isGiven(rule.resourceNames)
  return ({ attributes, target }) => {
    if (!isOneOf(rule.verbs, attributes.verb)) return false
    if (!reachesPlane(rule, target, projectNamespacePrefix)) return false
    if (isGiven(rule.nonResourceURLs)) {
      return !attributes.isResource && !namesResources && matchesPaths(rule, attributes)
    }
    return !namesResources || (attributes.isResource && matchesObject(rule, attributes))
  }
}

/** Reports whether a rule can match requests to a plane. */
export function reachesPlane(
  rule: ScopeRule,
  target: RequestTarget,
  projectNamespacePrefix: () => string,
): boolean {
  if (!isOneOf(rule.requestTargets, nameOfPlane[target.plane])) return false
  if (!matchesCluster(rule, target)) return false
  return matchesVirtualCluster(rule, target, projectNamespacePrefix)
}

function isGiven(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0
}

/** Reports whether a list contains a value; an empty list contains everything. */
function isOneOf(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.length === 0 || list.some((one) => one === '*' || one === value)
}

function matchesCluster({ cluster = '' }: ScopeRule, target: RequestTarget): boolean {
  if (cluster === '') return true
  return target.plane === 'cluster' && (cluster === '*' || cluster === target.cluster)
}

function matchesVirtualCluster(
  { virtualClusters = [] }: ScopeRule,
  target: RequestTarget,
  projectNamespacePrefix: () => string,
): boolean {
  if (virtualClusters.length === 0) return true
  if (target.plane !== 'virtualCluster') return false
  const homeNamespace = projectNamespacePrefix() + target.project
  return virtualClusters.some(
    ({ name = '', namespace = '' }) =>
      isEmptyOr(name, target.virtualCluster) && isEmptyOr(namespace, homeNamespace),
  )
}

function isEmptyOr(pattern: string, text: string): boolean {
  return pattern === '' || pattern === '*' || pattern === text
}

function matchesPaths({ nonResourceURLs = [] }: ScopeRule, { path }: AuthorizationAttributes) {
  return nonResourceURLs.some((pattern) => matchesPath(pattern, path))
}

function matchesObject(rule: ScopeRule, attributes: AuthorizationAttributes): boolean {
  const { resources = [], resourceNames, namespaces } = rule
  if (!isOneOf(namespaces, attributes.namespace)) return false
  if (!isOneOf(resourceNames, attributes.name)) return false
  return resources.length === 0 || resources.some((entry) => matchesEntry(entry, attributes))
}

function matchesEntry(
  { group = '', resources = [], resourceNames }: ScopeResources,
  attributes: AuthorizationAttributes,
): boolean {
  if (group !== '*' && group !== attributes.group) return false
  if (!isOneOf(resourceNames, attributes.name)) return false
  const { resource, subresource } = attributes
  return (
    resources.length === 0 ||
    resources.some((pattern) => matchesResource(pattern, resource, subresource))
  )
}
