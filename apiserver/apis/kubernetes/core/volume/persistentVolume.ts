import type { FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn, storageClassColumn, textColumn, valueAt, wide } from '../../../columns.ts'
import { unchanged } from '../../../fieldChecks.ts'
import { fill } from '../../../fill.ts'
import { setSourceDefaults } from './volumeDefaults.ts'
import { accessModesText, unsetText } from './volumeFields.ts'
import { sourceChangeErrors, volumeSpecErrors, type VolumeSpec } from './volumeSpecRules.ts'

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
        const lastPhaseTransitionTime = object.metadata.creationTimestamp
        object['status'] = { phase: 'Pending', lastPhaseTransitionTime }
      },
      validate: volumeErrors,
      warningsOnCreate: (object) => volumeWarnings(specOf(object)),
      warningsOnUpdate: (object) => volumeWarnings(specOf(object)),
      validateUpdate: (next, old) => [
        ...volumeErrors(next),
        ...sourceChangeErrors(specOf(next), specOf(old)),
        // The path is the library's.
        ...unchanged('volumeMode', specOf(next).volumeMode, specOf(old).volumeMode),
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
        if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
        return typeof phase === 'string' ? phase : ''
      }),
      cellColumn('Claim', 'The claim that has it.', (object) => {
        const { claimRef } = specOf(object)
        return claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`
      }),
      storageClassColumn('Its storage class.'),
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
  fill(spec, { persistentVolumeReclaimPolicy: 'Retain' })
  spec.volumeMode ??= 'Filesystem'
  setSourceDefaults(spec)
}

function volumeErrors(object: ApiObject): FieldError[] {
  return volumeSpecErrors('spec', specOf(object))
}

function volumeWarnings({ persistentVolumeReclaimPolicy: policy }: VolumeSpec): string[] {
  if (policy !== 'Recycle') return []
  const why = 'The Recycle reclaim policy is deprecated.'
  const instead = 'Instead, the recommended approach is to use dynamic provisioning.'
  return [`spec.persistentVolumeReclaimPolicy: ${why} ${instead}`]
}
