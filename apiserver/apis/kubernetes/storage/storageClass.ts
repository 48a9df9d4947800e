import {
  duplicateField,
  invalidField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { cellColumn, textColumn, valueAt } from '../../columns.ts'
import { givenList, given, oneOf, isSame, qualifiedName } from '../../fieldChecks.ts'
import { fillMissing } from '../../fill.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { TopologySelectorTerm } from '../shapes/coreV1.ts'

interface ClassObject extends ApiObject {
  provisioner?: string
  parameters?: Record<string, string>
  reclaimPolicy?: string
  volumeBindingMode?: string
  allowedTopologies?: TopologySelectorTerm[]
}

const bindingModes = ['Immediate', 'WaitForFirstConsumer']
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

/** Definition of the StorageClass kind. Source: Kubernetes API reference, StorageClass v1. */
export function storageClassResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'storageclasses',
    kind: 'StorageClass',
    namespaced: false,
    shortNames: ['sc'],
    description: 'StorageClass describes a class of storage.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      deletion: { returnsObject: true },
      setDefaults: (object) => {
        fillMissing(asClass(object), { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
      },
      validate: classErrors,
      validateUpdate: (next, old) => [...classErrors(next), ...changeErrors(next, old)],
    },
    columns: [
      {
        ...nameColumn,
        cell: ({ metadata: { name = '', annotations = {} } }) =>
          defaultAnnotations.some((annotation) => annotations[annotation] === 'true')
            ? `${name} (default)`
            : name,
      },
      textColumn('Provisioner', 'provisioner', 'Provisioner of the volumes.'),
      textColumn(
        'ReclaimPolicy',
        'reclaimPolicy',
        'Handling of volumes when their claims are deleted.',
      ),
      textColumn('VolumeBindingMode', 'volumeBindingMode', 'Time at which volumes are bound.'),
      cellColumn('AllowVolumeExpansion', 'Whether volumes can be expanded.', (object) => {
        return valueAt(object, 'allowVolumeExpansion') === true
      }),
      ageColumn,
    ],
  })
}

function asClass(object: ApiObject): ClassObject {
  // Guaranteed by the schema.
  return object
}

function classErrors(object: ApiObject): FieldError[] {
  const { provisioner = '', reclaimPolicy, volumeBindingMode, parameters = {} } = asClass(object)
  return [
    ...(provisioner === '' ? [] : qualifiedName('provisioner', provisioner.toLowerCase())),
    ...parameterErrors(parameters),
    ...((reclaimPolicy ?? '') === ''
      ? []
      : oneOf('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain'])),
    ...oneOf('volumeBindingMode', volumeBindingMode, bindingModes),
    ...topologyErrors(asClass(object).allowedTopologies ?? []),
    ...given('provisioner', provisioner),
  ]
}

const maxParameters = 512
const maxParameterBytes = 256 * 1024

function parameterErrors(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) return [tooLongField('parameters', maxParameters)]
  const bytes = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...(Object.hasOwn(parameters, '')
      ? [invalidField('parameters', '', 'field can not be empty.')]
      : []),
    ...(bytes > maxParameterBytes ? [tooLongField('parameters', maxParameterBytes)] : []),
  ]
}

/**
 * Errors for a topology. Source: Kubernetes API reference, TopologySelectorTerm v1; observed
 * answers.
 */
function topologyErrors(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const isRepeated = repeats(terms.map(textOf))
  return terms.flatMap(({ matchLabelExpressions: expressions = [] }, index) => {
    const path = `allowedTopologies[${index}]`
    const isKeyRepeated = repeats(expressions.map(({ key = '' }) => key))
    return [
      ...expressions.flatMap((one, at) =>
        expressionErrors(`${path}.matchLabelExpressions[${at}]`, one, isKeyRepeated[at] === true),
      ),
      // The real server reports every term without expressions as a duplicate.
      ...(expressions.length === 0 || isRepeated[index] === true
        ? [duplicateField(`${path}.matchLabelExpressions`, '')]
        : []),
    ]
  })
}

type Expression = NonNullable<TopologySelectorTerm['matchLabelExpressions']>[number]

function expressionErrors(
  path: string,
  { key = '', values: given }: Expression,
  isKeyRepeated: boolean,
): FieldError[] {
  const values = given ?? []
  const isRepeated = repeats(values)
  return [
    ...givenList(`${path}.values`, values),
    ...values.flatMap((value, index) =>
      isRepeated[index] === true ? [duplicateField(`${path}.values[${index}]`, value)] : [],
    ),
    ...qualifiedName(`${path}.key`, key),
    ...(isKeyRepeated ? [duplicateField(`${path}.key`, key)] : []),
  ]
}

/** Key that is equal for terms with the same values of the same keys, in any order. */
function textOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const byKey = new Map(
    matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]),
  )
  return JSON.stringify([...byKey].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const fixed = ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const

/**
 * Errors for changed fields; the messages do not show the value. Source: seen on kube-apiserver
 * 1.37.2.
 */
function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [asClass(next), asClass(old)]
  return fixed
    .filter((field) => !isSame(after[field], before[field]))
    .map((field) => invalidField(field, null, 'field is immutable'))
}
