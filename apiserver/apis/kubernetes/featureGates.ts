/** Features that are disabled by default and guard fields of the generated types. Their fields are known and dropped,
 *  as in a server with its default features. The namespace of a data source is not among them: without it the whole
 *  reference is dropped, which the kind does. Source: kube-apiserver 1.37.2, `--help`. */
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

/** Whether a field of a type is disabled by one of its rules: `g` and the features that guard it. `off`: disabled
 *  features besides those disabled by default. */
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
