import { formOf } from '../registry/objectForm.ts'
import { groupVersionString, type GroupVersion, type GroupVersionKind } from '../meta/types.ts'
import {
  kindOfSubresource,
  type ResourceDefinition,
  type SubresourceDefinition,
} from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { sortedResources } from './servedGroups.ts'
import { storageVersionHash } from './storageVersionHash.ts'

/**
 * Document of `/api/v1` or `/apis/<group>/<version>`; undefined if nothing is served. The core group's list has no
 * apiVersion.
 * Source: reference 6.1.
 */
export function apiResourceList(set: ResourceSet, groupVersion: GroupVersion): object | undefined {
  const { group, version } = groupVersion
  const resources = sortedResources(set, group, version)
  if (resources.length === 0) return undefined
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersionString(groupVersion),
    resources: resources.flatMap(entriesOf),
  }
}

function entriesOf(resource: ResourceDefinition): object[] {
  const subresources = sortedSubresources(resource)
  return [resourceEntry(resource), ...subresources.map((sub) => subresourceEntry(resource, sub))]
}

function resourceEntry(resource: ResourceDefinition): object {
  const { plural, singular, namespaced, kind, shortNames, categories } = resource
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: sortedVerbs(resource),
    ...(shortNames?.length ? { shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
    ...(resource.answers === undefined
      ? { storageVersionHash: storageVersionHash(storedVersion(resource)) }
      : {}),
  }
}

function storedVersion(resource: ResourceDefinition): GroupVersionKind {
  const { group, version, kind, storageVersion } = resource.storedAs?.resource ?? resource
  return { group, version: storageVersion ?? version, kind }
}

/** Verbs in alphabetical order, or in the order of the definition. Source: reference 0.4. */
export function sortedVerbs(resource: ResourceDefinition): readonly string[] {
  const { verbs } = resource
  return formOf(resource).isSortedInDiscovery ? [...verbs].sort() : verbs
}

function subresourceEntry(resource: ResourceDefinition, sub: SubresourceDefinition): object {
  const { group, version, kind } = kindOfSubresource(resource, sub)
  const isOfGroup = group === resource.group && version === resource.version
  return {
    name: `${resource.plural}/${sub.name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isOfGroup ? {} : { group, version }),
    kind,
    verbs: [...sub.verbs].sort(),
  }
}

/** Subresources sorted by name, or in the order of the definition. */
export function sortedSubresources(resource: ResourceDefinition): readonly SubresourceDefinition[] {
  const { subresources = [] } = resource
  if (!formOf(resource).isSortedInDiscovery) return subresources
  return [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1))
}
