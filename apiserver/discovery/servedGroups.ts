import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { compareVersions } from '../meta/versionOrder.ts'

/** A group and its versions by preference. */
export interface ServedGroup {
  name: string
  versions: string[]
}

/** The named groups in registration order, without the core group. */
export function namedGroups(set: ResourceSet): ServedGroup[] {
  return allGroups(set).filter(({ name }) => name !== '')
}

export function findGroup(set: ResourceSet, name: string): ServedGroup | undefined {
  return allGroups(set).find((group) => group.name === name)
}

/** The resources of a group version by name, the order of every discovery document. */
export function sortedResources(
  set: ResourceSet,
  group: string,
  version: string,
): ResourceDefinition[] {
  return set.inGroupVersion({ group, version }).sort((a, b) => (a.plural < b.plural ? -1 : 1))
}

function allGroups(set: ResourceSet): ServedGroup[] {
  const versions = new Map<string, string[]>()
  for (const { group, version } of set.groupVersions()) {
    versions.set(group, [...(versions.get(group) ?? []), version])
  }
  return [...versions].map(([name, all]) => ({ name, versions: all.sort(compareVersions) }))
}
