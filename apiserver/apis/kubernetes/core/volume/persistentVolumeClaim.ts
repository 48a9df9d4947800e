import { forbiddenField, type FieldError } from '../../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../../builtInKind.ts'
import { cellColumn, storageClassColumn, textColumn, valueAt, wide } from '../../../columns.ts'
import { isSame, unchanged } from '../../../fieldChecks.ts'
import { compareAmounts } from '../quantities.ts'
import { claimSpecErrors, dropOtherSources, matchSources, type ClaimSpec } from './claimRules.ts'
import { fractionWarnings } from '../container/containerWarnings.ts'
import { accessModesText, unsetText } from './volumeFields.ts'

interface Claim {
  spec?: ClaimSpec
  status?: { phase?: string; capacity?: Record<string, string>; accessModes?: string[] }
}

/** Stored only: no volume is ever bound to it. Source: Kubernetes API reference, PersistentVolumeClaim v1. */
export function persistentVolumeClaimResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    shortNames: ['pvc'],
    description: 'PersistentVolumeClaim asks for storage.',
    strategy: {
      generation: 'none',
      returnsDeletedObject: true,
      setDefaults: (object) => {
        specOf(object).volumeMode ??= 'Filesystem'
      },
      prepareForCreate: (object) => {
        dropOtherSources(specOf(object))
        matchSources(specOf(object))
        object['status'] = { phase: 'Pending' }
      },
      prepareForUpdate: (next, old) => {
        if (specOf(old).dataSource === undefined) dropOtherSources(specOf(next))
        matchSources(specOf(next))
      },
      warningsOnCreate: (object) => claimWarnings(specOf(object)),
      warningsOnUpdate: (object) => claimWarnings(specOf(object)),
      validate: claimErrors,
      validateUpdate: (next, old) => [...claimErrors(next), ...changeErrors(next, old)],
    },
    subresources: [statusSubresource()],
    columns: [
      nameColumn,
      cellColumn('Status', 'Where it stands.', (object) =>
        object.metadata.deletionTimestamp === undefined
          ? ((object as Claim).status?.phase ?? '')
          : 'Terminating',
      ),
      textColumn('Volume', 'spec.volumeName', 'The volume that it has.'),
      cellColumn('Capacity', 'Size of that.', (object) => {
        const { spec, status } = object as Claim
        return spec?.volumeName === undefined ? '' : (status?.capacity?.['storage'] ?? '0')
      }),
      cellColumn('Access Modes', 'How that may be used.', (object) => {
        const { spec, status } = object as Claim
        return spec?.volumeName === undefined ? '' : accessModesText(status?.accessModes)
      }),
      storageClassColumn('The storage class it asks for.'),
      cellColumn('VolumeAttributesClass', 'The class of attributes it asks for.', unsetText),
      ageColumn,
      wide(textColumn('VolumeMode', 'spec.volumeMode', 'Filesystem or Block.')),
    ],
  })
}

function specOf(object: ApiObject): ClaimSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return ((object as Claim).spec ??= {})
}

function claimWarnings({ resources: { limits, requests } = {} }: ClaimSpec): string[] {
  return [
    ...fractionWarnings('spec.resources.limits', limits),
    ...fractionWarnings('spec.resources.requests', requests),
  ]
}

function claimErrors(object: ApiObject): FieldError[] {
  return claimSpecErrors('spec', specOf(object))
}

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

/** A volume is bound to a claim once, a class may be given to a claim that has none, and of a bound claim its size and its
 *  class of attributes may change. */
function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const isBound = valueAt(old, 'status.phase') === 'Bound'
  const [after, before] = [specOf(next), specOf(old)]
  const isFree = before.volumeName === undefined
  const fixed = (spec: ClaimSpec): ClaimSpec => ({
    ...spec,
    ...(isFree ? { volumeName: undefined } : {}),
    ...(isFree && before.storageClassName === undefined ? { storageClassName: undefined } : {}),
    ...(isBound ? { resources: undefined, volumeAttributesClassName: undefined } : {}),
  })
  return [
    ...(isSame(fixed(after), fixed(before)) ? [] : [forbiddenField('spec', fixedText)]),
    ...sizeChangeErrors(next, old),
    // The path is the library's.
    ...unchanged('volumeMode', after.volumeMode, before.volumeMode),
  ]
}

/** A claim that asked for too much may ask for less, but for more than it has. */
function sizeChangeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const sizeOf = (object: ApiObject) => specOf(object).resources?.requests?.['storage'] ?? '0'
  const had = (old as Claim).status?.capacity?.['storage'] ?? '0'
  const isTooSmall =
    compareAmounts(sizeOf(next), sizeOf(old)) < 0 && compareAmounts(sizeOf(next), had) <= 0
  const detail = 'field can not be less than status.capacity'
  return isTooSmall ? [forbiddenField('spec.resources.requests.storage', detail)] : []
}
