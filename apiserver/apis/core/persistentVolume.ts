import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt, wide } from '../columns.ts'
import { oneOf, unchanged } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { accessModeErrors, accessModesText, unsetText } from './volumeFields.ts'

interface VolumeSpec {
  capacity?: Record<string, string>
  accessModes?: string[]
  persistentVolumeReclaimPolicy?: string
  volumeMode?: string
  claimRef?: { namespace?: string; name?: string }
  [source: string]: unknown
}

/** Stored only. Source: Kubernetes API reference, PersistentVolume v1. */
export function persistentVolumeResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    namespaced: false,
    shortNames: ['pv'],
    description: 'PersistentVolume is a piece of storage.',
    strategy: {
      generation: 'none',
      returnsDeletedObject: true,
      setDefaults,
      prepareForCreate: (object) => {
        object['status'] = { phase: 'Pending' }
      },
      validate: volumeErrors,
      validateUpdate: (next, old) => [
        ...volumeErrors(next),
        ...unchanged('spec.volumeMode', specOf(next).volumeMode, specOf(old).volumeMode),
      ],
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      cellColumn('Capacity', 'Its size.', (object) => specOf(object).capacity?.['storage'] ?? ''),
      cellColumn('Access Modes', 'How it may be used.', (object) =>
        accessModesText(specOf(object).accessModes),
      ),
      textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy', 'What comes after use.'),
      cellColumn('Status', 'Where it stands.', (object) => {
        const phase = valueAt(object, 'status.phase')
        return object.metadata.deletionTimestamp === undefined ? String(phase) : 'Terminating'
      }),
      cellColumn('Claim', 'The claim that has it.', (object) => {
        const { claimRef } = specOf(object)
        return claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`
      }),
      textColumn('StorageClass', 'spec.storageClassName', 'Its storage class.'),
      cellColumn('VolumeAttributesClass', 'Its class of attributes.', unsetText),
      textColumn('Reason', 'status.reason', 'Why it stands there.'),
      ageColumn,
      wide(textColumn('VolumeMode', 'spec.volumeMode', 'Filesystem or Block.')),
    ],
  })
}

function specOf(object: ApiObject): VolumeSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return (object['spec'] ?? {}) as VolumeSpec
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
  const hostPath = spec['hostPath'] as { type?: string } | undefined
  if (hostPath !== undefined) hostPath.type ??= ''
}

/** Fields of the spec that name no kind of storage. */
const settings = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]

function volumeErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  const { capacity = {}, persistentVolumeReclaimPolicy: policy } = spec
  const sources = Object.keys(spec).filter((name) => !settings.includes(name))
  const isOther = Object.keys(capacity).length > 0 && capacity['storage'] === undefined
  return [
    ...accessModeErrors('spec.accessModes', spec.accessModes),
    ...(Object.keys(capacity).length === 0 ? [requiredField('spec.capacity')] : []),
    ...(isOther
      ? [invalidField('spec.capacity', capacity, 'must specify only a storage capacity')]
      : []),
    ...(sources.length === 0 ? [requiredField('spec', 'must specify a volume type')] : []),
    ...oneOf('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain']),
    ...oneOf('spec.volumeMode', spec.volumeMode, ['Block', 'Filesystem']),
  ]
}
