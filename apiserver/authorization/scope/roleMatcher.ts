import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'
import type { ScopeRole } from './accessKeyScope.ts'
import { matchesPath } from './pathPattern.ts'
import { covers, type RequestMatcher } from './requestMatcher.ts'
import { matchesResource } from './resourcePattern.ts'
import { roleGrants, type ResourceGrant, type RoleGrant } from './roleGrants.ts'
import { roleNamed, withImplied } from './roleNames.ts'
import type { ScopedRequest } from './scopedRequest.ts'

/**
 * Matches requests that a role entry covers. An unknown role covers nothing. `projects` and
 * `virtualClusters` narrow requests for a project or a virtual cluster; other requests, such as for
 * one's own identity, are unaffected. `isAlone`: the scope has no other entry. Source: platform
 * facts 2.
 */
export function roleMatcher(
  entry: ScopeRole,
  names: NamesProfile,
  isAlone: boolean,
): RequestMatcher {
  const role = roleNamed(entry.role ?? '', names)
  if (role === undefined) return () => false
  const { projects = [], virtualClusters = [] } = entry
  const isUnrestricted = isAlone && projects.length === 0 && virtualClusters.length === 0
  const grants = withImplied(role)
    .flatMap((name) => roleGrants[name])
    .filter((grant) => isUnrestricted || !('unrestricted' in grant))
  const isWithin = narrowing(entry)
  return (request) => {
    const { attributes } = request
    return isWithin(request) && grants.some((grant) => isGranted(grant, attributes, names))
  }
}

function isGranted(
  grant: RoleGrant,
  attributes: AuthorizationAttributes,
  names: NamesProfile,
): boolean {
  if (!grant.verbs.includes(attributes.verb)) return false
  if ('paths' in grant) {
    return !attributes.isResource && grant.paths.some((path) => matchesPath(path, attributes.path))
  }
  // Resource grants apply to the management API only; the same names in other planes are other
  // resources.
  const isHere = attributes.target === undefined || attributes.target.plane === 'management'
  return isHere && attributes.isResource && isResourceGranted(grant, attributes, names)
}

function isResourceGranted(
  grant: ResourceGrant,
  attributes: AuthorizationAttributes,
  names: NamesProfile,
): boolean {
  const { resource, subresource } = attributes
  const group = grant.group === 'management' ? managementGroup(names) : grant.group
  if (group !== attributes.group) return false
  if (!grant.resources.some((pattern) => matchesResource(pattern, resource, subresource)))
    return false
  return grant.ofCaller !== true || isOfCaller(attributes, names)
}

function isOfCaller({ user, resource, name }: AuthorizationAttributes, { platform }: NamesProfile) {
  const kind = resource === 'teams' ? 'team' : 'user'
  return user.groups.includes(`${platform}:${kind}:${name}`)
}

function narrowing({ projects = [], virtualClusters = [] }: ScopeRole): RequestMatcher {
  const isInProjects = ({ project }: ScopedRequest) =>
    projects.length === 0 ||
    project === undefined ||
    projects.some((pattern) => covers(pattern, project))
  const isInVirtualClusters = ({ project, virtualCluster }: ScopedRequest) =>
    virtualClusters.length === 0 ||
    virtualCluster === undefined ||
    virtualClusters.some(
      (pattern) => covers(pattern, virtualCluster) || pattern === `${project}/${virtualCluster}`,
    )
  return (request) => isInProjects(request) && isInVirtualClusters(request)
}
