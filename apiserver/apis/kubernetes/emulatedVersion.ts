import type { ResourceDefinition } from '../../registry/resource.ts'

/** The newest minor version of Kubernetes 1 whose API is served. */
export const newestMinor = 37
/** Oldest minor version that can be emulated. */
export const oldestMinor = 35

/**
 * Kinds by the first minor version that serves them, except for kinds that the oldest version
 * serves. Source: seen on kube-apiserver 1.37.2 with `--emulated-version`.
 */
const kindsSince: Readonly<Record<string, number>> = {
  'clustertrustbundles.certificates.k8s.io': 37,
  'podcertificaterequests.certificates.k8s.io': 37,
  'devicetaintrules.resource.k8s.io': 37,
  'storageversionmigrations.storagemigration.k8s.io': 37,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': 36,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': 36,
}

/** Features of fields and of admission plugins by the first minor version that enables them. Source: as above. */
const featuresSince: Readonly<Record<string, number>> = {
  ClusterTrustBundleProjection: 37,
  MaxUnavailableStatefulSet: 37,
  PodCertificateProjection: 37,
  VolumeLimitScaling: 37,
  CRDObservedGenerationTracking: 36,
  DRAConsumableCapacity: 36,
  DRADeviceBindingConditions: 36,
  DRADeviceTaints: 36,
  DRAExtendedResource: 36,
  DRAPartitionableDevices: 36,
  InPlacePodLevelResourcesVerticalScaling: 36,
  NodeDeclaredFeatures: 36,
  ResourceHealthStatus: 36,
}

/** Admission plugins by the first minor version that enables them by default. */
const pluginsSince: Readonly<Record<string, number>> = {
  ClusterTrustBundleAttest: 37,
  MutatingAdmissionPolicy: 36,
  NodeDeclaredFeatureValidator: 36,
}

/** Reports whether a minor version serves a kind. */
export function servesKind({ group, plural }: ResourceDefinition, minor: number): boolean {
  return isIn(kindsSince, `${plural}.${group}`, minor)
}

/** Features that a minor version disables and the newest one enables. */
export function featuresLackedBy(minor: number): ReadonlySet<string> {
  return new Set(Object.keys(featuresSince).filter((name) => !isIn(featuresSince, name, minor)))
}

/** Reports whether a minor version has an admission plugin. */
export function hasPlugin(name: string, minor: number): boolean {
  return isIn(pluginsSince, name, minor)
}

function isIn(since: Readonly<Record<string, number>>, name: string, minor: number): boolean {
  return (since[name] ?? oldestMinor) <= minor
}
