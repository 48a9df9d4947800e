import { posix } from 'node:path'
import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf, isSame, oneOf, optionalName, unchanged } from '../../../fieldChecks.ts'
import type { PersistentVolumeSpec } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'
import { otherVolumeSources } from './otherVolumeSources.ts'
import { nodeSelectorErrors } from '../pod/schedulingRules.ts'
import { persistentSources } from './persistentSources.ts'
import { accessModeErrors, onePodErrors } from './volumeFields.ts'
import { volumeSources, type SourceRules } from './volumeSources.ts'

/** Source with its names in error paths: for its own fields, and as one of several sources. */
interface Source {
  name: keyof PersistentVolumeSpec
  own?: string
  extra?: string
}

/** Sources of persistent volumes, in search order. */
const sources: readonly Source[] = [
  { name: 'hostPath' },
  { name: 'gcePersistentDisk', own: 'persistentDisk' },
  ...(['awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte'] as const).map(
    named,
  ),
  { name: 'cephfs', extra: 'cephFS' },
  ...(['iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume'] as const).map(named),
  ...(['photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO', 'local'] as const).map(
    named,
  ),
  ...(['storageos', 'csi'] as const).map(named),
]

function named(name: Source['name']): Source {
  return { name }
}

const rules: Readonly<Record<string, SourceRules>> = {
  ...volumeSources,
  ...otherVolumeSources,
  ...persistentSources,
}

/**
 * Errors for a volume spec. Source: Kubernetes API reference, PersistentVolumeSpec v1; observed
 * answers.
 */
export function volumeSpecErrors(path: string, spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], nodeAffinity, persistentVolumeReclaimPolicy: policy } = spec
  return [
    ...accessModeErrors(`${path}.accessModes`, accessModes),
    ...onePodErrors(`${path}.accessModes`, accessModes),
    ...capacityErrors(`${path}.capacity`, spec.capacity),
    ...oneOf(`${path}.persistentVolumeReclaimPolicy`, policy, ['Delete', 'Recycle', 'Retain']),
    ...(nodeAffinity ? affinityErrors(`${path}.nodeAffinity`, nodeAffinity) : []),
    ...sourceErrors(path, spec),
    ...recycleErrors(path, spec),
    ...optionalName(`${path}.storageClassName`, spec.storageClassName, subdomainErrors),
    ...oneOf(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']),
    ...classErrors(path, spec),
  ]
}

const notInline = 'may not be specified in the context of inline volumes'

/**
 * Errors for a volume described in an attachment: its source must be a CSI driver, and few other
 * fields are allowed.
 */
export function inlineVolumeErrors(path: string, spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], capacity = {}, persistentVolumeReclaimPolicy: policy = '' } = spec
  const refused = (field: string) => forbiddenField(`${path}.${field}`, notInline)
  const inContext = 'in the context of inline volumes'
  return [
    ...errorIf(spec.claimRef !== undefined, () => refused('claimRef')),
    ...errorIf(Object.keys(capacity).length > 0, () => refused('capacity')),
    ...errorIf(spec.csi === undefined, () =>
      requiredField(`${path}.csi`, `has to be specified ${inContext}`),
    ),
    ...accessModeErrors(`${path}.accessModes`, accessModes),
    ...onePodErrors(`${path}.accessModes`, accessModes),
    ...errorIf(policy !== '' && policy !== 'Retain', () =>
      forbiddenField(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inContext}`),
    ),
    ...errorIf(spec.nodeAffinity !== undefined, () => refused('nodeAffinity')),
    ...sourceErrors(path, spec),
    ...errorIf((spec.storageClassName ?? '') !== '', () => refused('storageClassName')),
    ...errorIf(spec.volumeMode !== 'Filesystem', () =>
      forbiddenField(
        `${path}.volumeMode`,
        `may not specify volumeMode other than Filesystem ${inContext}`,
      ),
    ),
    ...classErrors(path, spec),
  ]
}

/** Errors for recycling: the root folder of a node cannot be recycled. */
function recycleErrors(path: string, spec: PersistentVolumeSpec): FieldError[] {
  const { path: folder = '' } = spec.hostPath ?? {}
  const isRoot = folder !== '' && posix.normalize(folder).replace(/(.)\/$/, '$1') === '/'
  if (!isRoot || spec.persistentVolumeReclaimPolicy !== 'Recycle') return []
  const detail = "may not be 'recycle' for a hostPath mount of '/'"
  return [forbiddenField(`${path}.persistentVolumeReclaimPolicy`, detail)]
}

/** Errors for an attributes class, which needs a driver. */
function classErrors(
  path: string,
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
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
  const shown = capacity ?? null
  return [
    ...(names.length === 0 ? [requiredField(path)] : []),
    ...(isSize ? [] : [notSupportedField(path, shown, ['storage'])]),
    ...Object.entries(capacity ?? {}).flatMap(([name, quantity]) =>
      sizeErrors(`${path}[${name}]`, quantity),
    ),
  ]
}

function sizeErrors(path: string, quantity: string): FieldError[] {
  const difference = compareQuantityStrings(quantity, '0')
  return [
    ...(difference < 0
      ? [invalidField(path, Number.parseInt(quantity, 10), 'must be a valid resource quantity')]
      : []),
    ...(difference <= 0 ? [invalidField(path, quantity, 'must be greater than zero')] : []),
  ]
}

function affinityErrors(
  path: string,
  { required }: NonNullable<PersistentVolumeSpec['nodeAffinity']>,
): FieldError[] {
  if (required === undefined) {
    return [requiredField(`${path}.required`, 'must specify required node constraints')]
  }
  return nodeSelectorErrors(`${path}.required`, required.nodeSelectorTerms ?? [], true)
}

function sourceErrors(path: string, spec: PersistentVolumeSpec): FieldError[] {
  const found = sources.filter(({ name }) => spec[name] !== undefined)
  if (found.length === 0) return [requiredField(path, 'must specify a volume type')]
  return found.flatMap(({ name, own = name, extra = name }, index) =>
    // A flexVolume is validated even if there is another source.
    index === 0 || name === 'flexVolume'
      ? [...(rules[name]?.(`${path}.${own}`, spec[name]) ?? []), ...placeErrors(path, name, spec)]
      : [forbiddenField(`${path}.${extra}`, 'may not specify more than 1 volume type')],
  )
}

/** Errors for a local volume without a node affinity. */
function placeErrors(
  path: string,
  source: string,
  { nodeAffinity }: PersistentVolumeSpec,
): FieldError[] {
  if (source !== 'local' || nodeAffinity !== undefined) return []
  return [requiredField(`${path}.nodeAffinity`, 'Local volume requires node affinity')]
}

/**
 * Errors for a changed volume: source and mode are immutable, a node affinity is immutable once
 * set, and an attributes class cannot be removed. Source: seen on kube-apiserver 1.37.2.
 */
export function volumeChangeErrors(
  next: PersistentVolumeSpec,
  old: PersistentVolumeSpec,
): FieldError[] {
  const isKept = sources.every(({ name }) => isSame(allowed(name, next, old), old[name]))
  const detail = 'spec.persistentvolumesource is immutable after creation'
  const { nodeAffinity } = old
  const isMoved =
    nodeAffinity !== undefined && !isSame(renamed(next.nodeAffinity, nodeAffinity), nodeAffinity)
  const movedText = 'field is immutable, except for updating from beta label to GA'
  const isCleared =
    old.volumeAttributesClassName !== undefined && next.volumeAttributesClassName === undefined
  return [
    ...(isKept ? [] : [forbiddenField('spec.persistentvolumesource', detail)]),
    // Path as in kube-apiserver.
    ...unchanged('volumeMode', next.volumeMode, old.volumeMode),
    ...(isMoved ? [invalidField('nodeAffinity', next.nodeAffinity ?? null, movedText)] : []),
    ...(isCleared
      ? [
          forbiddenField(
            'spec.volumeAttributesClassName',
            'update from non-nil value to nil is forbidden',
          ),
        ]
      : []),
  ]
}

/** Reports whether a changed source is allowed: a driver without a secret for expansion may get one. */
function allowed(
  name: keyof PersistentVolumeSpec,
  next: PersistentVolumeSpec,
  old: PersistentVolumeSpec,
): unknown {
  const { csi } = next
  if (name !== 'csi' || csi === undefined || old.csi === undefined) return next[name]
  if (old.csi.controllerExpandSecretRef !== undefined) return csi
  const { controllerExpandSecretRef: _added, ...rest } = csi
  return rest
}

const labelsOfToday: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
}

/**
 * Affinity with deprecated labels in place of their replacements where the stored affinity has
 * them.
 */
function renamed(
  next: PersistentVolumeSpec['nodeAffinity'],
  old: NonNullable<PersistentVolumeSpec['nodeAffinity']>,
): PersistentVolumeSpec['nodeAffinity'] {
  const copy = structuredClone(next)
  const before = testsOf(old)
  for (const [index, test] of testsOf(copy).entries()) {
    const key = before[index]?.key ?? ''
    // A label without a replacement may become empty, as in the real server; other rules refuse
    // that.
    const replacement = labelsOfToday[key] ?? ''
    if (replacement === test.key) test.key = key
  }
  return copy
}

function testsOf(affinity: PersistentVolumeSpec['nodeAffinity']) {
  const terms = affinity?.required?.nodeSelectorTerms ?? []
  return terms.flatMap(({ matchExpressions }) => matchExpressions ?? [])
}
