import { hostName, shortHostName } from '../../apiserver/meta/names/hostName.ts'
import { isMappedTo, mappedNamespace, type NamespacesByName } from './namespaceMapping.ts'

/** What decides how objects of a virtual cluster are named on their host. Plain data, so that it can be handed on. */
export interface Naming {
  virtualCluster: string
  /** The namespace that the virtual cluster runs in. */
  hostNamespace: string
  /** With namespace syncing; absent: every object is in `hostNamespace`. */
  namespaces?: { byName: NamespacesByName; mappingsOnly: boolean } | undefined
}

/** The naming that a configuration's `sync.toHost.namespaces` asks for. */
export function namingOf({
  virtualCluster,
  hostNamespace,
  namespaces: { enabled, mappings, mappingsOnly },
}: {
  virtualCluster: string
  hostNamespace: string
  namespaces: { enabled: boolean; mappings: { byName: NamespacesByName }; mappingsOnly: boolean }
}): Naming {
  const namespaces = enabled ? { byName: mappings.byName, mappingsOnly } : undefined
  return { virtualCluster, hostNamespace, namespaces }
}

export interface ObjectName {
  name: string
  namespace: string
}

/** Which form names of a kind have with a single namespace: built-in kinds `long`, custom ones `short`. */
export type NameForm = 'long' | 'short'

/** Where an object of the virtual cluster is on the host; undefined: its namespace is not synced.
 *  Source: platform facts 6.7. */
export function hostObjectName(
  { name, namespace }: ObjectName,
  naming: Naming,
  form: NameForm = 'long',
): ObjectName | undefined {
  const { virtualCluster, hostNamespace, namespaces } = naming
  const mapped = namespaces && mappedNamespace(namespace, namespaces.byName, virtualCluster)
  if (mapped !== undefined) return { name, namespace: mapped }
  if (namespaces?.mappingsOnly === true) return undefined
  const translate = form === 'short' ? shortHostName : hostName
  return { name: translate({ name, namespace, virtualCluster }), namespace: hostNamespace }
}

/** Whether objects of the virtual cluster may be in this namespace of the host. */
export function isSyncedTo(namespace: string, naming: Naming): boolean {
  const { virtualCluster, hostNamespace, namespaces } = naming
  if (namespace === hostNamespace) return true
  return namespaces !== undefined && isMappedTo(namespace, namespaces.byName, virtualCluster)
}

/** Where a Service or its Endpoints are on the host. The virtual cluster's own API is the Service that is named for it.
 *  Source: platform facts 6.7. */
export function hostServiceName(service: ObjectName, naming: Naming): ObjectName | undefined {
  return isOwnApi(service)
    ? { name: naming.virtualCluster, namespace: naming.hostNamespace }
    : hostObjectName(service, naming)
}

/** Whether this is `default/kubernetes`, which is never synced. */
export function isOwnApi({ name, namespace }: ObjectName): boolean {
  return namespace === 'default' && name === 'kubernetes'
}

/** The form of names that kinds of this API group have. Groups with a dot that are not Kubernetes' own are custom.
 *  Source: platform facts 6.7. */
export function nameForm(apiVersion: string): NameForm {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const isCustom = group.includes('.') && !group.endsWith('.k8s.io')
  return isCustom || group === 'resource.k8s.io' ? 'short' : 'long'
}
