import type { Schema } from '../../meta/schema.ts'

/**
 * Features that are disabled by default and guard fields of the generated types. Their fields are
 * recognized and dropped, as in a server with default features. The namespace of a data source is
 * not listed: the kind drops the whole reference instead. Source: kube-apiserver 1.37.2, `--help`.
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

/** Fields that have no marker naming their feature, by type. */
const unmarked: Readonly<Record<string, string>> = { Lifecycle: 'stopSignal' }

/**
 * Fields that stay although their feature is disabled, by type: pods only lose such fields in their
 * spec.
 */
const unguarded: Readonly<Record<string, string>> = { ContainerStatus: 'stopSignal' }

/**
 * Structs in which only the first of these fields that is set is searched for disabled fields, in
 * this order. A struct with several of them is refused. Source: seen on kube-apiserver 1.37.2.
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

/** Schema of a field; if the field is not searched, disabled fields stay in it. */
export function keepingUnsearched(schema: Schema, type: string, name: string): Schema {
  return unsearched[type] === name ? withoutGates(schema) : schema
}

/** Copy without feature gates. Types with gates are not recursive here. */
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
