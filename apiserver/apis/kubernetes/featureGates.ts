/** The features that are off by default, of those that fields of the generated types stand behind. Their fields are known
 *  and dropped, as a server with its default features does. The namespace of a data source is not among them: it takes the
 *  whole reference with it, which the kind sees to. Source: kube-apiserver 1.37.2, `--help`. */
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

/** Fields whose feature no marker names, by their types. */
const unmarked: Readonly<Record<string, string>> = { Lifecycle: 'stopSignal' }

/** Whether a field of a type is disabled by one of its rules: `g` and the features it stands behind. `off`: features that are
 *  off besides those that are by default. */
export function isDisabled(
  type: string,
  { name, rules }: { name: string; rules: readonly string[] },
  off: ReadonlySet<string>,
): boolean {
  if (unmarked[type] === name) return true
  return rules.some(
    (rule) =>
      rule.startsWith('g=') &&
      rule
        .slice(2)
        .split(',')
        .some((gate) => offByDefault.has(gate) || off.has(gate)),
  )
}
