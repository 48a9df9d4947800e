import type { EventLimit } from './eventLimits.ts'

/** An admission plugin by its name in Kubernetes. */
interface KnownPlugin {
  name: string
  /** True if the plugin is enabled unless explicitly disabled. */
  isDefault: boolean
  /**
   * True if the plugin prepares workloads for nodes: the management API runs none, so it does not change them unless
   * the plugin is enabled.
   */
  isForNodes?: true
}

/**
 * Admission plugins in the order in which they run, followed by policies, webhooks and quota.
 * Source: Kubernetes, kube-apiserver, `--enable-admission-plugins`.
 */
const known: readonly KnownPlugin[] = [
  { name: 'AlwaysAdmit', isDefault: false },
  { name: 'NamespaceLifecycle', isDefault: true },
  { name: 'NamespaceExists', isDefault: false },
  { name: 'LimitPodHardAntiAffinityTopology', isDefault: false },
  { name: 'LimitRanger', isDefault: true },
  { name: 'ServiceAccount', isDefault: true, isForNodes: true },
  { name: 'NodeRestriction', isDefault: false },
  { name: 'TaintNodesByCondition', isDefault: true, isForNodes: true },
  { name: 'AlwaysPullImages', isDefault: false },
  { name: 'PodSecurity', isDefault: true },
  { name: 'PodNodeSelector', isDefault: false },
  { name: 'Priority', isDefault: true, isForNodes: true },
  { name: 'DefaultTolerationSeconds', isDefault: true, isForNodes: true },
  { name: 'PodTolerationRestriction', isDefault: false },
  { name: 'EventRateLimit', isDefault: false },
  { name: 'ExtendedResourceToleration', isDefault: false },
  { name: 'DefaultStorageClass', isDefault: true },
  { name: 'StorageObjectInUseProtection', isDefault: false, isForNodes: true },
  // No stable version serves the kinds that it protects.
  { name: 'PodGroupProtection', isDefault: true },
  { name: 'OwnerReferencesPermissionEnforcement', isDefault: false },
  { name: 'PersistentVolumeClaimResize', isDefault: true, isForNodes: true },
  { name: 'RuntimeClass', isDefault: true, isForNodes: true },
  { name: 'CertificateApproval', isDefault: true },
  { name: 'CertificateSigning', isDefault: true },
  { name: 'ClusterTrustBundleAttest', isDefault: true },
  { name: 'CertificateSubjectRestriction', isDefault: true },
  { name: 'DefaultIngressClass', isDefault: true },
  { name: 'DenyServiceExternalIPs', isDefault: false },
  { name: 'PodTopologyLabels', isDefault: true, isForNodes: true },
  { name: 'NodeDeclaredFeatureValidator', isDefault: true, isForNodes: true },
  { name: 'PodResizeValidator', isDefault: true, isForNodes: true },
  { name: 'MutatingAdmissionPolicy', isDefault: true },
  { name: 'MutatingAdmissionWebhook', isDefault: true },
  { name: 'ValidatingAdmissionPolicy', isDefault: true },
  { name: 'ValidatingAdmissionWebhook', isDefault: true },
  { name: 'ResourceQuota', isDefault: true },
  { name: 'AlwaysDeny', isDefault: false },
]

/** The names of all plugins, in the order in which they run. */
export const admissionPluginNames: readonly string[] = known.map(({ name }) => name)

/** Enabled plugins of a plane, with their configuration. */
export interface PluginChoice {
  names: ReadonlySet<string>
  /** Limits of EventRateLimit. */
  eventLimits: readonly EventLimit[]
}

/** Names of enabled plugins by kind of plane. */
export interface EnabledPlugins {
  management: ReadonlySet<string>
  clusters: ReadonlySet<string>
}

/** Enabled plugins: the defaults and `enable`, without `disable`. */
export function enabledPlugins(
  enable: readonly string[],
  disable: readonly string[],
): EnabledPlugins {
  const setOf = (isOn: (plugin: KnownPlugin) => boolean) =>
    new Set(
      known
        .filter((plugin) => !disable.includes(plugin.name))
        .filter((plugin) => enable.includes(plugin.name) || isOn(plugin))
        .map(({ name }) => name),
    )
  return {
    management: setOf(({ isDefault, isForNodes }) => isDefault && isForNodes !== true),
    clusters: setOf(({ isDefault }) => isDefault),
  }
}

/** Names known to kube-apiserver but not accepted, with the reason. */
export const refusedPluginsText =
  'ImagePolicyWebhook is not there; ' +
  'NamespaceAutoProvision is not there: create namespaces before their objects'
