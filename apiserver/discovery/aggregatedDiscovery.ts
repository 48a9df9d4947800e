import { formOf } from '../registry/objectForm.ts'
import {
  kindOfSubresource,
  type ResourceDefinition,
  type SubresourceDefinition,
} from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { sortedSubresources, sortedVerbs } from './apiResourceList.ts'
import { findGroup, namedGroups, sortedResources, type ServedGroup } from './servedGroups.ts'

/** Root of a discovery document: `/api` lists the core group, `/apis` every other one. */
export type DiscoveryRoot = 'api' | 'apis'
/**
 * Versions of the aggregated format, which differ only in their apiVersion; kubectl before 1.30 only requests v2beta1.
 */
export type AggregatedVersion = 'v2' | 'v2beta1'

/**
 * All discovery information in one document. Groups and versions are in order of preference. Undefined: `/api` of a
 * server without a core group. Source: KEP-3352; reference 6.2.
 */
export function aggregatedDiscovery(
  set: ResourceSet,
  root: DiscoveryRoot,
  version: AggregatedVersion,
): object | undefined {
  const groups = groupsBelow(set, root)
  if (groups === undefined) return undefined
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => groupDiscovery(set, group)),
  }
}

function groupsBelow(set: ResourceSet, root: DiscoveryRoot): ServedGroup[] | undefined {
  if (root === 'apis') return namedGroups(set)
  const core = findGroup(set, '')
  return core && [core]
}

function groupDiscovery(set: ResourceSet, { name, versions }: ServedGroup): object {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map((version) => ({
      version,
      resources: sortedResources(set, name, version).map(resourceDiscovery),
      freshness: 'Current',
    })),
  }
}

function resourceDiscovery(resource: ResourceDefinition): object {
  const { plural, namespaced, singular, shortNames, categories } = resource
  const subresources = sortedSubresources(resource).map((sub) => subresourceOf(resource, sub))
  return {
    resource: plural,
    responseKind: kindOf(resource, resource),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: sortedVerbs(resource),
    ...(shortNames?.length ? { shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  }
}

function subresourceOf(resource: ResourceDefinition, sub: SubresourceDefinition) {
  const responseKind = kindOf(kindOfSubresource(resource, sub), resource)
  return { subresource: sub.name, responseKind, verbs: [...sub.verbs].sort() }
}

/**
 * Kind of a resource. Group and version are empty if the resource has the same ones, except for
 * custom kinds.
 */
function kindOf(
  { group, version, kind }: ResourceDefinition,
  resource: ResourceDefinition,
): object {
  const isOwn = group === resource.group && version === resource.version
  return isOwn && formOf(resource).hasRoutes
    ? { group: '', version: '', kind }
    : { group, version, kind }
}
