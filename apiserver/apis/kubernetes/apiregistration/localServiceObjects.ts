import type { ApiObject, GroupVersion } from '../../../meta/types.ts'
import type { ResourceSet } from '../../../registry/resourceSet.ts'

/** The label of APIServices that the server maintains itself: `onstart` for groups served from the start, `true` for
 *  groups of definitions. Source: observed kubectl output. */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged'

export const servicesResource = { group: 'apiregistration.k8s.io', resource: 'apiservices' }

/** APIServices of the groups that a plane serves from the start. The group of APIServices itself has none. */
export function builtInServices(resources: ResourceSet): ApiObject[] {
  return resources
    .groupVersions()
    .filter(
      (groupVersion) =>
        groupVersion.group !== servicesResource.group && !resources.isClientDefined(groupVersion),
    )
    .map((groupVersion) => localService(groupVersion, 'onstart', priorityOf(groupVersion)))
}

/** APIService of a version of a definition. Source: observed kubectl output. */
export function customService(groupVersion: GroupVersion): ApiObject {
  return localService(groupVersion, 'true', [1000, 100])
}

function localService(
  { group, version }: GroupVersion,
  managed: string,
  [groupPriorityMinimum, versionPriority]: Priority,
): ApiObject {
  return {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: `${version}.${group}`, labels: { [managedLabel]: managed } },
    spec: { ...(group === '' ? {} : { group }), version, groupPriorityMinimum, versionPriority },
  }
}

/** Priorities of the group and of the version within it. */
type Priority = readonly [group: number, version: number]

/**
 * Priorities of built-in groups; all others have the priority of the platform's own APIService.
 * Source: observed kubectl output.
 */
const groupPriorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'discovery.k8s.io': 16_200,
}

const versionPriorities: Readonly<Record<string, number>> = { '/v1': 1, 'autoscaling/v2': 30 }

function priorityOf({ group, version }: GroupVersion): Priority {
  const priority = groupPriorities[group]
  if (priority === undefined) return [2000, 100]
  return [priority, versionPriorities[`${group}/${version}`] ?? 15]
}
