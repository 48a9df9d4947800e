import { addToGroup } from '../meta/collections/groupBy.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { compareVersions } from '../meta/versionOrder.ts'

/** A group and its versions by preference. */
export interface ServedGroup {
  name: string
  versions: string[]
}

/**
 * Named groups in registration order, followed by groups of custom kinds by name; without the core
 * group.
 */
export function namedGroups(set: ResourceSet): ServedGroup[] {
  const groups = allGroups(set).filter(({ name }) => name !== '')
  const custom = groups.filter((group) => isClientDefined(set, group))
  const others = groups.filter((group) => !custom.includes(group))
  return [...others, ...custom.sort((a, b) => (a.name < b.name ? -1 : 1))]
}

/** Reports whether a group has a kind that is not custom. */
export function isPlainGroup(set: ResourceSet, name: string): boolean {
  const group = findGroup(set, name)
  return group !== undefined && !isClientDefined(set, group)
}

function isClientDefined(set: ResourceSet, { name, versions }: ServedGroup): boolean {
  return versions.every((version) => set.isClientDefined({ group: name, version }))
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
  for (const { group, version } of set.groupVersions()) addToGroup(versions, group, version)
  return [...versions].map(([name, all]) => ({ name, versions: all.sort(compareVersions) }))
}
