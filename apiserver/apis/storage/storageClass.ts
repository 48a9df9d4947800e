import { forbiddenField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt } from '../columns.ts'
import { given, isSame, oneOf, unchanged } from '../fieldChecks.ts'
import { fill } from '../fill.ts'

interface ClassObject extends ApiObject {
  provisioner?: string
  parameters?: Record<string, string>
  reclaimPolicy?: string
  volumeBindingMode?: string
}

const bindingModes = ['Immediate', 'WaitForFirstConsumer']
const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class'

/** Source: Kubernetes API reference, StorageClass v1. */
export function storageClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
    shortNames: ['sc'],
    description: 'StorageClass names a kind of storage.',
    strategy: {
      generation: 'none',
      returnsDeletedObject: true,
      setDefaults: (object) => {
        fill(asClass(object), { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
      },
      validate: classErrors,
      validateUpdate: (next, old) => [...classErrors(next), ...changeErrors(next, old)],
    },
    columns: [
      {
        ...nameColumn,
        cell: ({ metadata: { name = '', annotations = {} } }) =>
          annotations[defaultAnnotation] === 'true' ? `${name} (default)` : name,
      },
      textColumn('Provisioner', 'provisioner', 'Who makes the volumes.'),
      textColumn('ReclaimPolicy', 'reclaimPolicy', 'What comes after use.'),
      textColumn('VolumeBindingMode', 'volumeBindingMode', 'When volumes are bound.'),
      {
        ...cellColumn('AllowVolumeExpansion', 'Whether volumes may grow.', (object) => {
          return valueAt(object, 'allowVolumeExpansion') === true
        }),
        type: 'boolean',
      },
      ageColumn,
    ],
  })
}

function asClass(object: ApiObject): ClassObject {
  // The schema says so.
  return object
}

function classErrors(object: ApiObject): FieldError[] {
  const { provisioner, reclaimPolicy, volumeBindingMode } = asClass(object)
  return [
    ...given('provisioner', provisioner),
    ...oneOf('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', volumeBindingMode, bindingModes),
  ]
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asClass(next), asClass(old)]
  const fixed = (['parameters', 'provisioner', 'reclaimPolicy'] as const).filter(
    (field) => !isSame(after[field], before[field]),
  )
  return [
    ...fixed.map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
    ...unchanged('volumeBindingMode', after.volumeBindingMode, before.volumeBindingMode),
  ]
}
