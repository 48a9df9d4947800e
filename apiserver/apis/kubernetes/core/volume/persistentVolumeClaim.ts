import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn, storageClassColumn, textColumn, wide } from '../../../columns.ts'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../shapes/coreV1.ts'
import { claimChangeErrors } from './claimChanges.ts'
import { claimSpecErrors, dropOtherSources, matchSources } from './claimRules.ts'
import { claimStatusErrors } from './claimStatus.ts'
import { fractionWarnings } from '../container/containerWarnings.ts'
import { accessModesText, unsetText } from './volumeFields.ts'

/**
 * Definition of the PersistentVolumeClaim kind, which is only stored: no volume is ever bound to it. Source: Kubernetes
 * API reference, PersistentVolumeClaim v1.
 */
export function persistentVolumeClaimResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    shortNames: ['pvc'],
    description: 'PersistentVolumeClaim requests storage.',
    strategy: {
      generation: 'none',
      deletion: { returnsObject: true },
      setDefaults,
      prepareForCreate: (object) => {
        dropOtherSources(specOf(object))
        matchSources(specOf(object))
        object['status'] = { phase: 'Pending' }
      },
      prepareForUpdate: (next, old) => {
        dropOtherSources(specOf(next), specOf(old))
        matchSources(specOf(next))
      },
      warningsOnCreate: claimWarnings,
      warningsOnUpdate: claimWarnings,
      validate: (object) => claimSpecErrors('spec', specOf(object)),
      validateUpdate: (next, old) => [
        // Existing claims may keep API groups that new claims may not name.
        ...claimSpecErrors('spec', specOf(next), true),
        ...claimChangeErrors(next, old),
      ],
    },
    subresources: [statusSubresource(claimStatusErrors, { prepareForUpdate: setDefaults })],
    columns: [
      nameColumn,
      cellColumn('Status', 'Status of the claim.', (object) =>
        object.metadata.deletionTimestamp === undefined
          ? ((object as PersistentVolumeClaim).status?.phase ?? '')
          : 'Terminating',
      ),
      textColumn('Volume', 'spec.volumeName', 'Volume that the claim is bound to.'),
      cellColumn('Capacity', 'Size of the bound volume.', (object) => {
        const { spec, status } = object as PersistentVolumeClaim
        return spec?.volumeName === undefined ? '' : (status?.capacity?.['storage'] ?? '0')
      }),
      cellColumn('Access Modes', 'Access modes of the bound volume.', (object) => {
        const { spec, status } = object as PersistentVolumeClaim
        return spec?.volumeName === undefined ? '' : accessModesText(status?.accessModes)
      }),
      storageClassColumn('Requested storage class.'),
      cellColumn('VolumeAttributesClass', 'Requested volume attributes class.', unsetText),
      ageColumn,
      wide(textColumn('VolumeMode', 'spec.volumeMode', 'Filesystem or Block.')),
    ],
  })
}

function specOf(object: ApiObject): PersistentVolumeClaimSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return ((object as PersistentVolumeClaim).spec ??= {})
}

/** Sets the default phase, Pending. */
function setDefaults(object: ApiObject): void {
  specOf(object).volumeMode ??= 'Filesystem'
  const status = ((object as PersistentVolumeClaim).status ??= {})
  status.phase ??= 'Pending'
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

function claimWarnings(object: ApiObject): string[] {
  const { resources: { limits, requests } = {} } = specOf(object)
  const why = 'deprecated since v1.8; use "storageClassName" attribute instead'
  return [
    ...(object.metadata.annotations?.[classAnnotation] === undefined
      ? []
      : [`metadata.annotations[${classAnnotation}]: ${why}`]),
    ...fractionWarnings('spec.resources.requests', requests),
    ...fractionWarnings('spec.resources.limits', limits),
  ]
}
