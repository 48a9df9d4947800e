import { hostName, shortHostName } from '../../apiserver/meta/names/hostName.ts'
import { isMappedTo, mappedNamespace, type NamespacesByName } from './namespaceMapping.ts'

/**
 * Parameters for naming objects of a virtual cluster on their host. Plain data, so that it can be passed to a thread.
 */
export interface Naming {
  virtualCluster: string
  /** The host namespace of the virtual cluster. */
  hostNamespace: string
  /** Namespace syncing; absent: every object is in `hostNamespace`. */
  namespaces?: { byName: NamespacesByName; mappingsOnly: boolean } | undefined
}

/** Naming for a configuration's `sync.toHost.namespaces`. */
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

/** Form of names with a single namespace: `long` for built-in kinds, `short` for custom ones. */
export type NameForm = 'long' | 'short'

/**
 * The host name of a virtual object; undefined: its namespace is not synced.
 * Source: platform facts 6.7.
 */
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

/** Reports whether objects of the virtual cluster may be in this host namespace. */
export function isSyncedTo(namespace: string, naming: Naming): boolean {
  const { virtualCluster, hostNamespace, namespaces } = naming
  if (namespace === hostNamespace) return true
  return namespaces !== undefined && isMappedTo(namespace, namespaces.byName, virtualCluster)
}

/**
 * The host name of a Service or its Endpoints. The virtual cluster's own API is the Service with its name.
 * Source: platform facts 6.7.
 */
export function hostServiceName(service: ObjectName, naming: Naming): ObjectName | undefined {
  return isOwnApi(service)
    ? { name: naming.virtualCluster, namespace: naming.hostNamespace }
    : hostObjectName(service, naming)
}

/** Reports whether this is `default/kubernetes`, which is never synced. */
export function isOwnApi({ name, namespace }: ObjectName): boolean {
  return namespace === 'default' && name === 'kubernetes'
}

/**
 * The form of names for kinds of an API group. Groups with a dot are custom, unless they are Kubernetes' own.
 * Source: platform facts 6.7.
 */
export function nameForm(apiVersion: string): NameForm {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const isCustom = group.includes('.') && !group.endsWith('.k8s.io')
  return isCustom || group === 'resource.k8s.io' ? 'short' : 'long'
}
