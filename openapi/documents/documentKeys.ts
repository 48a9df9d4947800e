import type { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import {
  coreVersionsRoute,
  groupRoute,
  groupsRoute,
  resourceListRoute,
  versionRoute,
} from '../discoveryRoutes.ts'
import { groupVersionPath, resourceRoutes } from '../resourceRoutes.ts'
import { isCustomGroup } from '../customGroup.ts'
import type { Route } from '../route.ts'

/** The documents of OpenAPI v3 by their keys, sorted (`api/v1`, `apis/<group>`, `apis/<group>/<version>`, `version`),
 *  each with the function that creates its routes. Source: reference 6.5. */
export function documentKeys(set: ResourceSet): ReadonlyMap<string, () => Route[]> {
  const groups = new Set(set.groupVersions().map(({ group }) => group))
  const keys: [string, () => Route[]][] = [
    ['apis', () => [groupsRoute]],
    ['version', () => [versionRoute]],
  ]
  for (const group of groups) {
    if (group === '') keys.push(['api', () => [coreVersionsRoute]])
    else if (!isCustomGroup(set, group)) keys.push([`apis/${group}`, () => [groupRoute(group)]])
  }
  for (const groupVersion of set.groupVersions()) {
    const routes = () => [
      ...(isCustomGroup(set, groupVersion.group) ? [] : [resourceListRoute(groupVersion)]),
      ...set.inGroupVersion(groupVersion).flatMap(resourceRoutes),
    ]
    keys.push([groupVersionPath(groupVersion).slice(1), routes])
  }
  return new Map(keys.sort(([a], [b]) => (a < b ? -1 : 1)))
}
