import { groupVersionString } from '../meta/types.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import { findGroup, namedGroups, type ServedGroup } from './servedGroups.ts'

/**
 * Document of `/api`. `serverAddress` is `host:port` as reachable by the client. Undefined: no core group is served,
 * and clients expect 404. Source: reference 6.1.
 */
export function apiVersions(set: ResourceSet, serverAddress: string): object | undefined {
  const core = findGroup(set, '')
  if (core === undefined) return undefined
  return {
    kind: 'APIVersions',
    versions: core.versions,
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

/** Document of `/apis`. */
export function apiGroupList(set: ResourceSet): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: namedGroups(set).map(groupEntry) }
}

/** Document of `/apis/<group>`; undefined if the group is not served. */
export function apiGroup(set: ResourceSet, name: string): object | undefined {
  const group = name === '' ? undefined : findGroup(set, name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: ServedGroup) {
  const entries = versions.map((version) => ({
    groupVersion: groupVersionString({ group: name, version }),
    version,
  }))
  return { name, versions: entries, preferredVersion: entries[0] }
}
