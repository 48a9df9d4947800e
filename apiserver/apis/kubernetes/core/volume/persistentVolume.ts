import { formatTime } from '../../../../meta/clock.ts'
import { forbiddenField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn, storageClassColumn, textColumn, valueAt, wide } from '../../../columns.ts'
import { fill } from '../../../fill.ts'
import type { PersistentVolumeSpec, PersistentVolumeStatus } from '../../shapes/coreV1.ts'
import { setSourceDefaults } from './volumeDefaults.ts'
import { accessModesText, unsetText } from './volumeFields.ts'
import { volumeChangeErrors, volumeSpecErrors } from './volumeSpecRules.ts'
import { persistentVolumeWarnings } from './persistentVolumeWarnings.ts'

const place = { group: '', resource: 'persistentvolumes' }

/**
 * Definition of the PersistentVolume kind, which is only stored. Source: Kubernetes API reference, PersistentVolume v1.
 */
export function persistentVolumeResource({ types, access }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'persistentvolumes',
    kind: 'PersistentVolume',
    namespaced: false,
    shortNames: ['pv'],
    description: 'PersistentVolume is a storage volume of the cluster.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      deletion: { returnsObject: true },
      setDefaults,
      prepareForCreate: (object) => {
        const lastPhaseTransitionTime = object.metadata.creationTimestamp
        object['status'] = { phase: 'Pending', lastPhaseTransitionTime }
      },
      validate: volumeErrors,
      warningsOnCreate: (object) => persistentVolumeWarnings(object, specOf(object)),
      warningsOnUpdate: (object) => persistentVolumeWarnings(object, specOf(object)),
      validateUpdate: (next, old) => [
        ...volumeErrors(next),
        ...volumeChangeErrors(specOf(next), specOf(old)),
      ],
    },
    subresources: [
      statusSubresource(undefined, {
        prepareForUpdate: (next, old, context) => {
          const { clock } = access.of(context).store(place).options
          notePhase(next, old, () => formatTime(clock.now()))
        },
      }),
    ],
    columns: [
      nameColumn,
      cellColumn('Capacity', 'Capacity.', (object) => specOf(object).capacity?.['storage'] ?? ''),
      cellColumn('Access Modes', 'Access modes of the volume.', (object) =>
        accessModesText(specOf(object).accessModes),
      ),
      textColumn('Reclaim Policy', 'spec.persistentVolumeReclaimPolicy', 'Policy after release.'),
      cellColumn('Status', 'Status of the volume.', (object) => {
        const phase = valueAt(object, 'status.phase')
        if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
        return typeof phase === 'string' ? phase : ''
      }),
      cellColumn('Claim', 'Claim that the volume is bound to.', (object) => {
        const { claimRef } = specOf(object)
        return claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`
      }),
      storageClassColumn('Storage class.'),
      cellColumn('VolumeAttributesClass', 'Volume attributes class.', unsetText),
      textColumn('Reason', 'status.reason', 'Reason for the status.'),
      ageColumn,
      wide(textColumn('VolumeMode', 'spec.volumeMode', 'Filesystem or Block.')),
    ],
  })
}

function specOf(object: ApiObject): PersistentVolumeSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { persistentVolumeReclaimPolicy: 'Retain' })
  spec.volumeMode ??= 'Filesystem'
  setSourceDefaults(spec)
}

function volumeErrors(object: ApiObject): FieldError[] {
  return [...volumeSpecErrors('spec', specOf(object)), ...mountErrors(object)]
}

const mountAnnotation = 'volume.beta.kubernetes.io/mount-options'
const mounted = [
  ...([
    'gcePersistentDisk',
    'awsElasticBlockStore',
    'glusterfs',
    'nfs',
    'rbd',
    'quobyte',
    'iscsi',
  ] as const),
  ...([
    'cinder',
    'cephfs',
    'azureFile',
    'vsphereVolume',
    'azureDisk',
    'photonPersistentDisk',
  ] as const),
]

/** Errors for mount options in an annotation, which only some types of volumes have. */
function mountErrors(object: ApiObject): FieldError[] {
  if (object.metadata.annotations?.[mountAnnotation] === undefined) return []
  const spec = specOf(object)
  if (mounted.some((name) => spec[name] !== undefined)) return []
  const detail = 'may not specify mount options for this volume type'
  return [forbiddenField(`metadata.annotations.${mountAnnotation}`, detail)]
}

function statusOf(object: ApiObject): PersistentVolumeStatus {
  // Guaranteed by the schema.
  return (object['status'] ??= {})
}

/** Records the time of a phase change, unless the client sets another time. */
function notePhase(next: ApiObject, old: ApiObject, now: () => string): void {
  const [after, before] = [statusOf(next), statusOf(old)]
  after.phase ??= 'Pending'
  const { lastPhaseTransitionTime: time } = before
  const isTold =
    after.lastPhaseTransitionTime !== undefined && after.lastPhaseTransitionTime !== time
  if (isTold) return
  if (after.phase === before.phase) {
    if (time !== undefined) after.lastPhaseTransitionTime = time
  } else after.lastPhaseTransitionTime = now()
}
