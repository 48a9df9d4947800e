import { groupVersionString } from '../meta/types.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { findGroup, namedGroups } from './servedGroups.ts'

/**
 * Document of `/`: the served paths, sorted. `extraPaths`: paths outside the API, such as
 * `/healthz`. Source: reference 6.8.
 */
export function rootPaths(set: ResourceSet, extraPaths: readonly string[]): { paths: string[] } {
  const core = findGroup(set, '')?.versions.map((version) => `/api/${version}`) ?? []
  const named = namedGroups(set).flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map((version) => `/apis/${groupVersionString({ group: name, version })}`),
  ])
  const roots = core.length > 0 ? ['/api', '/apis'] : ['/apis']
  return { paths: [...new Set([...roots, ...core, ...named, ...extraPaths])].sort() }
}

/** Indented body of `/`. */
export function rootPathsDocument(set: ResourceSet, extraPaths: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(rootPaths(set, extraPaths), null, 2))
}
