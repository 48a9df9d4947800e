import type { Schema } from '../../meta/schema.ts'

/**
 * Features that are disabled by default and guard fields of the generated types. Their fields are known and dropped, as
 * in a server with default features. The namespace of a data source is not among them: without it the whole reference
 * is dropped, which the kind does. Source: kube-apiserver 1.37.2, `--help`.
 */
const offByDefault: ReadonlySet<string> = new Set([
  'AtomicWriteVolumeUserFields',
  'CSIVolumeHealth',
  'ContainerStopSignals',
  'DRADerivedAttributes',
  'DRADeviceCompatibilityGroups',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAOptionalNodeOperations',
  'DRAPartitionableDevicesType',
  'EmptyDirVolumeMode',
  'EvictionRequestAPI',
  'GRPCContainerProbeTLS',
  'GenericWorkload',
  'H2CContainerProbe',
  'ImageVolumeWithDigest',
  'InPlacePodVerticalScalingSchedulerPreemption',
  'VolumeBindMountOptions',
  'WorkloadWithJob',
])

/** Fields whose feature is not named by a marker, by type. */
const unmarked: Readonly<Record<string, string>> = { Lifecycle: 'stopSignal' }

/** Fields that a disabled feature leaves alone, by type: pods only lose those of their spec. */
const unguarded: Readonly<Record<string, string>> = { ContainerStatus: 'stopSignal' }

/**
 * Structs of which only the first of some fields that is set is searched for disabled fields, in this order. A struct
 * with several of them is refused. Source: seen on kube-apiserver 1.37.2.
 */
export const searchedForFirst: Readonly<Record<string, readonly string[]>> = {
  Volume: ['secret', 'configMap', 'downwardAPI', 'projected'],
  VolumeProjection: [
    ...['secret', 'downwardAPI', 'configMap'],
    ...['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'],
  ],
}

/**
 * Fields whose content is not searched for disabled fields, by type.
 * Source: seen on kube-apiserver 1.37.2, each disabled field in each kind.
 */
const unsearched: Readonly<Record<string, string>> = { StatefulSetSpec: 'volumeClaimTemplates' }

/** Schema of a field including its disabled fields, if it is not searched. */
export function keepingUnsearched(schema: Schema, type: string, name: string): Schema {
  return unsearched[type] === name ? withoutGates(schema) : schema
}

/** Copy without gates. The types that have gates here are not recursive. */
function withoutGates({ isDisabled: _isDisabled, ...schema }: Schema): Schema {
  const { properties, items } = schema
  return {
    ...schema,
    ...(items && { items: withoutGates(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, withoutGates(one)]),
      ),
    }),
  }
}

/**
 * Reports whether a field of a type is disabled by one of its rules: `g` and the features that guard it. `off`:
 * disabled features besides those disabled by default.
 */
export function isDisabled(
  type: string,
  { name, rules }: { name: string; rules: readonly string[] },
  off: ReadonlySet<string>,
): boolean {
  if (unmarked[type] === name) return true
  if (unguarded[type] === name) return false
  return rules.some(
    (rule) =>
      rule.startsWith('g=') &&
      rule
        .slice(2)
        .split(',')
        .some((gate) => offByDefault.has(gate) || off.has(gate)),
  )
}
