import { admissionPluginNames } from '../../runtime/options/admissionPlugins.ts'

/** Plugins of the real program that this server may lack. Source: `kube-apiserver --help`, 1.37.2. */
const others: readonly string[] = [
  ...['AlwaysAdmit', 'AlwaysDeny', 'AlwaysPullImages', 'CertificateApproval', 'CertificateSigning'],
  ...['CertificateSubjectRestriction', 'ClusterTrustBundleAttest', 'DenyServiceExternalIPs'],
  ...['EventRateLimit', 'ExtendedResourceToleration', 'ImagePolicyWebhook'],
  ...['LimitPodHardAntiAffinityTopology', 'MutatingAdmissionPolicy', 'NamespaceAutoProvision'],
  ...['NamespaceExists', 'NodeDeclaredFeatureValidator', 'NodeRestriction'],
  ...['OwnerReferencesPermissionEnforcement', 'PodGroupProtection', 'PodNodeSelector'],
  ...['PodResizeValidator', 'PodTolerationRestriction', 'PodTopologyLabels', 'RuntimeClass'],
]

/** Plugins enabled by default in the real program, but here only if other programs remove their finalizers. */
const defaultPlugins = ['StorageObjectInUseProtection']

/** Names of plugins in the form of the server's options. */
export interface ChosenPlugins {
  enable: string[]
  disable: string[]
  /** Names known to the real program but missing in this server, sorted. */
  ignored: string[]
}

/** Reports whether kube-apiserver has such a plugin. */
export function isPluginName(name: string): boolean {
  return admissionPluginNames.includes(name) || others.includes(name)
}

export function chosenPlugins(
  enable: readonly string[],
  disable: readonly string[],
): ChosenPlugins {
  const isServed = (name: string) => admissionPluginNames.includes(name)
  return {
    enable: [...defaultPlugins, ...enable].filter(isServed),
    disable: disable.filter(isServed),
    ignored: enable.filter((name) => !isServed(name)).toSorted(),
  }
}
