import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { given, isSame, noBacksteps, oneOf, optionalName } from '../../../fieldChecks.ts'
import { compareAmounts } from '../quantities.ts'
import { otherVolumeSources } from './otherVolumeSources.ts'
import { nodeSelectorErrors } from '../pod/schedulingRules.ts'
import type { NodeSelectorTerm } from '../pod/podTypes.ts'
import { accessModeErrors } from './volumeFields.ts'
import { driverErrors, rulesOf, volumeSources, type SourceRules } from './volumeSources.ts'

export interface VolumeSpec {
  capacity?: Record<string, string>
  accessModes?: string[]
  persistentVolumeReclaimPolicy?: string
  volumeMode?: string
  storageClassName?: string
  volumeAttributesClassName?: string
  claimRef?: { namespace?: string; name?: string }
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] | null } }
  [source: string]: unknown
}

/** The sources of volumes of the cluster, in the order in which the first is looked at, with the names that paths have. */
const sources: readonly (readonly [string, string])[] = [
  ['hostPath', 'hostPath'],
  ['gcePersistentDisk', 'gcePersistentDisk'],
  ...['awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte'].map(same),
  ['cephfs', 'cephFS'],
  ...['iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume'].map(same),
  ...['photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO', 'local'].map(same),
  ...['storageos', 'csi'].map(same),
]

function same(name: string): readonly [string, string] {
  return [name, name]
}

const rules: Readonly<Record<string, SourceRules>> = {
  ...volumeSources,
  ...otherVolumeSources,
  local: rulesOf<{ path?: string }>((path, { path: folder = '' }) => [
    ...given(`${path}.path`, folder),
    ...noBacksteps(`${path}.path`, folder),
  ]),
  csi: rulesOf<{ driver?: string; volumeHandle?: string }>(
    (path, { driver = '', volumeHandle }) => [
      ...driverErrors(`${path}.driver`, driver),
      ...given(`${path}.volumeHandle`, volumeHandle),
    ],
  ),
}

/** Source: Kubernetes API reference, PersistentVolumeSpec v1; observed answers. */
export function volumeSpecErrors(path: string, spec: VolumeSpec): FieldError[] {
  const { accessModes = [], nodeAffinity, persistentVolumeReclaimPolicy: policy } = spec
  const [first] = sources.filter(([name]) => spec[name] !== undefined)
  const needsNode = first?.[0] === 'local' && nodeAffinity === undefined
  return [
    ...accessModeErrors(`${path}.accessModes`, accessModes),
    ...(accessModes.length > 1 && accessModes.includes('ReadWriteOncePod')
      ? [
          forbiddenField(
            `${path}.accessModes`,
            'may not use ReadWriteOncePod with other access modes',
          ),
        ]
      : []),
    ...capacityErrors(`${path}.capacity`, spec.capacity),
    ...oneOf(`${path}.persistentVolumeReclaimPolicy`, policy, ['Delete', 'Recycle', 'Retain']),
    ...(nodeAffinity ? affinityErrors(`${path}.nodeAffinity`, nodeAffinity) : []),
    ...sourceErrors(path, spec),
    ...(needsNode
      ? [requiredField(`${path}.nodeAffinity`, 'Local volume requires node affinity')]
      : []),
    ...optionalName(`${path}.storageClassName`, spec.storageClassName, subdomainErrors),
    ...oneOf(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']),
    ...classErrors(path, spec),
  ]
}

/** A class of attributes is one of a driver's. */
function classErrors(
  path: string,
  { volumeAttributesClassName: name, csi }: VolumeSpec,
): FieldError[] {
  if (name === undefined) return []
  const at = `${path}.volumeAttributesClassName`
  const missing = 'has to be specified when using volumeAttributesClassName'
  return [
    ...(name === '' ? [requiredField(at, 'an empty string is disallowed')] : []),
    ...optionalName(at, name, subdomainErrors),
    ...(csi === undefined ? [requiredField(`${path}.csi`, missing)] : []),
  ]
}

function capacityErrors(path: string, capacity: Record<string, string> | undefined): FieldError[] {
  const names = Object.keys(capacity ?? {})
  const isSize = names.length === 1 && names[0] === 'storage'
  const shown = names.length === 0 ? null : capacity
  return [
    ...(names.length === 0 ? [requiredField(path)] : []),
    ...(isSize ? [] : [notSupportedField(path, shown, ['storage'])]),
    ...Object.entries(capacity ?? {}).flatMap(([name, amount]) =>
      sizeErrors(`${path}[${name}]`, amount),
    ),
  ]
}

function sizeErrors(path: string, amount: string): FieldError[] {
  const difference = compareAmounts(amount, '0')
  return [
    ...(difference < 0
      ? [invalidField(path, Number.parseInt(amount, 10), 'must be a valid resource quantity')]
      : []),
    ...(difference <= 0 ? [invalidField(path, amount, 'must be greater than zero')] : []),
  ]
}

function affinityErrors(
  path: string,
  { required }: NonNullable<VolumeSpec['nodeAffinity']>,
): FieldError[] {
  if (required === undefined) {
    return [requiredField(`${path}.required`, 'must specify required node constraints')]
  }
  return nodeSelectorErrors(`${path}.required`, required.nodeSelectorTerms ?? [], true)
}

function sourceErrors(path: string, spec: VolumeSpec): FieldError[] {
  const [first, ...others] = sources.filter(([name]) => spec[name] !== undefined)
  if (first === undefined) return [requiredField(path, 'must specify a volume type')]
  const [name, shown] = first
  return [
    ...(rules[name]?.(`${path}.${shown}`, spec[name]) ?? []),
    ...others
      .filter(([other]) => other !== 'flexVolume')
      .map(([, other]) =>
        forbiddenField(`${path}.${other}`, 'may not specify more than 1 volume type'),
      ),
  ]
}

/** The storage behind a volume is for good, but for how the driver is given its secrets. */
export function sourceChangeErrors(next: VolumeSpec, old: VolumeSpec): FieldError[] {
  const isKept = sources.every(([name]) => isSame(lasting(next[name]), lasting(old[name])))
  const detail = 'spec.persistentvolumesource is immutable after creation'
  return isKept ? [] : [forbiddenField('spec.persistentvolumesource', detail)]
}

function lasting(source: unknown): unknown {
  if (typeof source !== 'object' || source === null) return source
  return { ...source, controllerExpandSecretRef: undefined, nodeExpandSecretRef: undefined }
}
