import type { AccessKeyScope } from './accessKeyScope.ts'
import { covers, type RequestMatcher } from './requestMatcher.ts'

/**
 * Matchers for entries that name projects, spaces, virtual clusters and clusters. Each covers
 * requests to the plane of the object, and management requests for the object.
 * Source: platform facts 2, "Field / Entry / Meaning".
 */
export function entryMatchers(scope: AccessKeyScope): RequestMatcher[] {
  const { projects = [], spaces = [], virtualClusters = [], clusters = [] } = scope
  return [
    ...projects.map(
      ({ project }): RequestMatcher =>
        (request) =>
          covers(project, request.project),
    ),
    ...spaces.map(
      ({ project, space }): RequestMatcher =>
        (request) =>
          covers(project, request.project) && covers(space, request.space),
    ),
    ...virtualClusters.map(
      ({ project, virtualCluster }): RequestMatcher =>
        (request) =>
          covers(project, request.project) && covers(virtualCluster, request.virtualCluster),
    ),
    ...clusters.map(
      ({ cluster }): RequestMatcher =>
        (request) =>
          covers(cluster, request.cluster),
    ),
  ]
}
