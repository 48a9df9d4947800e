import { invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import { forbidden } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { builtInPatchTypes, type ResourceDefinition } from '../../../../registry/resource.ts'
import type { Strategy } from '../../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../../registry/table.ts'
import { refusedLabel } from '../../fieldLabels.ts'
import { textColumn } from '../../../columns.ts'
import { definitionName, listOf, struct, string, stringList, time } from '../../../schema.ts'

/** Namespaces that can never be deleted. Source: the admission plugin NamespaceLifecycle. */
const immortal = ['default', 'kube-system', 'kube-public']

/** Finalizer that keeps a namespace until its content is deleted. */
export const contentFinalizer = 'kubernetes'
const nameLabel = 'kubernetes.io/metadata.name'

interface NamespaceObject extends ApiObject {
  spec: { finalizers?: string[] }
  status: { phase?: string; conditions?: unknown[] }
}

/** Definition of the Namespace kind. Source: Kubernetes API reference, Namespace v1; reference 1.4. */
export const namespaceResource: ResourceDefinition = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  namespaced: false,
  shortNames: ['ns'],
  patchTypes: builtInPatchTypes,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  schema: struct(
    {
      spec: struct(
        {
          finalizers: stringList(
            'What must be empty before the namespace is removed from storage.',
          ),
        },
        'How the namespace behaves.',
        { definition: definitionName('', 'v1', 'NamespaceSpec') },
      ),
      status: struct(
        {
          phase: string('Active or Terminating.'),
          conditions: {
            ...listOf(conditionSchema(), 'What keeps a namespace from being removed.'),
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
            'x-kubernetes-patch-strategy': 'merge',
            'x-kubernetes-patch-merge-key': 'type',
          },
        },
        'Where the namespace stands.',
        { definition: definitionName('', 'v1', 'NamespaceStatus') },
      ),
    },
    'Namespace is a scope for names.',
    { definition: definitionName('', 'v1', 'Namespace') },
  ),
  strategy: {
    nameRule: 'label',
    generation: 'none',
    allowUnconditionalUpdate: true,
    metadata: { reportedFirst: true, qualifiedFinalizers: true, finalizersLast: true },
    tellsErrorsOnce: true,
    setDefaults: labelWithName,
    prepareForCreate: (object) => {
      const namespace = asNamespace(object)
      namespace.spec = { finalizers: withContentFinalizer(namespace.spec.finalizers ?? []) }
      namespace.status = { phase: 'Active' }
      labelWithName(object)
    },
    prepareForUpdate: (next, old) => {
      asNamespace(next).spec = structuredClone(asNamespace(old).spec)
    },
    validate: (object) => finalizerErrors(object),
    canonicalize: labelWithName,
    deletion: {
      preconditionsInStorage: true,
      isHeld: (object) => (asNamespace(object).spec.finalizers ?? []).length > 0,
      mark: (object) => {
        asNamespace(object).status.phase = 'Terminating'
      },
      validate: refuseDeletion,
    },
  },
  subresources: [
    { name: 'status', verbs: ['get', 'update', 'patch'], strategy: statusStrategy() },
    { name: 'finalize', verbs: ['update'], strategy: finalizeStrategy() },
  ],
  isNamespaceSelectable: false,
  refusedField: refusedLabel,
  selectableFields: {
    'status.phase': (object) => asNamespace(object).status.phase ?? '',
  },
  columns: [nameColumn, textColumn('Status', 'status.phase', 'Active or Terminating.'), ageColumn],
}

function conditionSchema() {
  return struct(
    {
      type: { type: 'string', description: 'Type of the condition.', zero: '' },
      status: { type: 'string', description: 'True, False or Unknown.', zero: '' },
      lastTransitionTime: {
        ...time('Time of the last change of the condition.'),
        zero: null,
      },
      reason: string('Reason in CamelCase.'),
      message: string('Why, for people.'),
    },
    'One condition of a namespace.',
    { required: ['type', 'status'], definition: definitionName('', 'v1', 'NamespaceCondition') },
  )
}

function asNamespace(object: ApiObject): NamespaceObject {
  object['spec'] ??= {}
  object['status'] ??= {}
  // Guaranteed by the schema; the store sets both fields.
  return object as NamespaceObject
}

function withContentFinalizer(finalizers: readonly string[]): string[] {
  return finalizers.includes(contentFinalizer) ? [...finalizers] : [...finalizers, contentFinalizer]
}

function labelWithName({ metadata }: ApiObject): void {
  if (metadata.name === undefined) return
  const labels = { ...metadata.labels, [nameLabel]: metadata.name }
  metadata.labels = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function statusStrategy(): Strategy {
  return {
    prepareForUpdate: (next, old) => {
      asNamespace(next).spec = structuredClone(asNamespace(old).spec)
      asNamespace(next).status.phase ??= 'Active'
    },
    validateUpdate: phaseErrors,
    canonicalize: labelWithName,
  }
}

/**
 * Errors for the phase: a namespace is active until its deletion begins. The path is spelt as in
 * the real server.
 */
function phaseErrors(next: ApiObject): FieldError[] {
  const { phase = '' } = asNamespace(next).status
  const isDeleting = next.metadata.deletionTimestamp !== undefined
  if (phase === (isDeleting ? 'Terminating' : 'Active')) return []
  const detail = isDeleting
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty"
  return [invalidField('status.Phase', phase, detail)]
}

const standardFinalizers = [contentFinalizer, 'orphan', 'foregroundDeletion']

/** Errors for finalizers. With `namesItems`, paths contain the index of the finalizer. */
function finalizerErrors(object: ApiObject, namesItems = false): FieldError[] {
  const unknown = 'name is neither a standard finalizer name nor is it fully qualified'
  return (asNamespace(object).spec.finalizers ?? []).flatMap((name, index) => {
    const path = namesItems ? `spec.finalizers[${index}]` : 'spec.finalizers'
    const isKnown = name.includes('/') || standardFinalizers.includes(name)
    return [
      ...labelKeyErrors(name).map((text) => invalidField(path, name, text)),
      ...(isKnown ? [] : [invalidField(path, name, unknown)]),
    ]
  })
}

function finalizeStrategy(): Strategy {
  return {
    validateUpdate: (next) => finalizerErrors(next, true),
    prepareForUpdate: (next, old) => {
      asNamespace(next).status = structuredClone(asNamespace(old).status)
    },
    canonicalize: labelWithName,
  }
}

function refuseDeletion(object: ApiObject): void {
  const { name = '' } = object.metadata
  if (!immortal.includes(name)) return
  throw forbidden({ group: '', resource: 'namespaces' }, name, 'this namespace may not be deleted')
}
