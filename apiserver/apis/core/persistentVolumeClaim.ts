import { forbiddenField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt, wide } from '../columns.ts'
import { isSame, oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { SpecSelector } from '../labelSelection.ts'
import { amountErrors } from './containerRules.ts'
import { accessModeErrors, accessModesText, unsetText } from './volumeFields.ts'

interface ClaimSpec {
  accessModes?: string[]
  selector?: SpecSelector
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  volumeName?: string
  volumeMode?: string
  volumeAttributesClassName?: string
}

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
        fill(specOf(object), { volumeMode: 'Filesystem' })
      },
      prepareForCreate: (object) => {
        object['status'] = { phase: 'Pending' }
      },
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
        return spec?.volumeName === undefined ? '' : (status?.capacity?.['storage'] ?? '')
      }),
      cellColumn('Access Modes', 'How that may be used.', (object) => {
        const { spec, status } = object as Claim
        return spec?.volumeName === undefined ? '' : accessModesText(status?.accessModes)
      }),
      textColumn('StorageClass', 'spec.storageClassName', 'The storage class it asks for.'),
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

function claimErrors(object: ApiObject): FieldError[] {
  const { accessModes, resources = {}, selector, volumeMode } = specOf(object)
  const { requests = {} } = resources
  return [
    ...accessModeErrors('spec.accessModes', accessModes),
    ...(selector === undefined ? [] : selectorErrors('spec.selector', selector)),
    ...(requests['storage'] === undefined
      ? [requiredField('spec.resources[storage]')]
      : amountErrors('spec.resources', requests)),
    ...oneOf('spec.volumeMode', volumeMode, ['Block', 'Filesystem']),
  ]
}

const fixedText =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

/** A volume is bound to a claim once, and the requests of a bound claim may change. */
function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const isBound = valueAt(old, 'status.phase') === 'Bound'
  const fixed = (object: ApiObject, bound: ClaimSpec) => {
    const { volumeAttributesClassName: _class, ...spec } = specOf(object)
    const named = specOf(old).volumeName === undefined ? { ...spec, volumeName: undefined } : spec
    return isBound ? { ...named, resources: bound.resources } : named
  }
  const before = specOf(old)
  const isKept = isSame(fixed(next, before), fixed(old, before))
  return isKept ? [] : [forbiddenField('spec', fixedText)]
}
