import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { DeclaredError } from '../../../registry/strategy.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { lastingErrors, podNameWarnings, podTemplateErrors } from '../apps/templateRules.ts'
import { containersText, podSpecIn, statusOf } from '../apps/workload.ts'
import { countErrors, partErrors } from '../apps/workloadRules.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, countColumn, valueAt, wide } from '../../columns.ts'
import { isSame, notNegative } from '../../fieldChecks.ts'
import { refusedLabel } from '../fieldLabels.ts'
import { fill } from '../../fill.ts'
import { selectorMatches, selectorText } from '../labelSelection.ts'
import type { ReplicationControllerSpec } from '../shapes/coreV1.ts'
import { templateWarnings } from './pod/podWarnings.ts'
import { setPodSpecDefaults } from './pod/podDefaults.ts'

/**
 * Definition of the ReplicationController kind, which is only stored. Source: Kubernetes API reference,
 * ReplicationController v1.
 */
export function replicationControllerResource(context: KindContext): ResourceDefinition {
  const place = { group: '', plural: 'replicationcontrollers' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'ReplicationController',
    namespaced: true,
    shortNames: ['rc'],
    categories: ['all'],
    description: 'ReplicationController keeps a number of pods running; superseded by ReplicaSet.',
    strategy: {
      nameRule: 'longName',
      metadata: { prefixRule: 'path', namesOnCreate: true },
      declaredErrors,
      generation: 'spec',
      deletion: { propagation: 'orphan' },
      setDefaults,
      validate,
      validateUpdate: validate,
      warningsOnCreate: (object) => [
        ...podNameWarnings(object),
        ...templateWarnings('spec.template', specOf(object).template),
      ],
      warningsOnUpdate: (next, old) =>
        isSame(specOf(next), specOf(old))
          ? []
          : // kube-apiserver reads the template that is replaced.
            templateWarnings('spec.template', specOf(old).template),
    },
    subresources: [
      statusSubresource(statusErrors, { prepareForUpdate: takeLabels }),
      scaleSubresource(context, { ...place, selector: selectionText }),
    ],
    refusedField: refusedLabel,
    selectableFields: {
      'status.replicas': (object) => String(Number(valueAt(object, 'status.replicas') ?? 0)),
    },
    columns: [
      nameColumn,
      countColumn('Desired', 'spec.replicas', 'Desired number of replicas.'),
      countColumn('Current', 'status.replicas', 'Current number of replicas.'),
      countColumn('Ready', 'status.readyReplicas', 'Number of ready replicas.'),
      ageColumn,
      wide(
        cellColumn('Containers', 'Container names.', (object) =>
          containersText(specOf(object).template, 'name'),
        ),
      ),
      wide(
        cellColumn('Images', 'Container images.', (object) =>
          containersText(specOf(object).template, 'image'),
        ),
      ),
      wide(cellColumn('Selector', 'Label selector of the pods.', selectionText)),
    ],
  })
}

const declaredErrors: readonly DeclaredError[] = [
  { field: 'metadata.name', reasons: ['FieldValueInvalid'] },
  { field: 'spec.replicas' },
  { field: 'spec.minReadySeconds' },
]

function specOf(object: ApiObject): ReplicationControllerSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

function selectionText(object: ApiObject): string {
  const { selector } = specOf(object)
  return selectorText(selector && { matchLabels: selector })
}

/** Sets the defaults: selector and labels are the labels of the template. */
function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  const labels = spec.template?.metadata?.labels
  if (labels !== undefined && Object.keys(spec.selector ?? {}).length === 0) {
    spec.selector = { ...labels }
  }
  takeLabels(object)
  fill(spec, { replicas: 1 })
  if (spec.template !== undefined) setPodSpecDefaults(podSpecIn(spec.template))
}

/** Copies the labels of the template to a controller without labels. */
function takeLabels(object: ApiObject): void {
  const labels = specOf(object).template?.metadata?.labels
  if (labels !== undefined && Object.keys(object.metadata.labels ?? {}).length === 0) {
    object.metadata.labels = { ...labels }
  }
}

const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']

function statusErrors(object: ApiObject): FieldError[] {
  const status = statusOf(object)
  return [
    ...countErrors(status, ['replicas', ...parts, 'observedGeneration']),
    ...partErrors(status, parts, 'readyReplicas'),
  ]
}

function validate(object: ApiObject): FieldError[] {
  const { replicas, minReadySeconds, selector = {}, template } = specOf(object)
  const errors = [
    ...notNegative('spec.minReadySeconds', minReadySeconds),
    ...(Object.keys(selector).length === 0 ? [requiredField('spec.selector')] : []),
    ...notNegative('spec.replicas', replicas),
  ]
  if (template === undefined) return [...errors, requiredField('spec.template')]
  const labels = template.metadata?.labels
  if (!selectorMatches({ matchLabels: selector }, labels)) {
    const detail = '`selector` does not match template `labels`'
    errors.push(invalidField('spec.template.metadata.labels', labels, detail))
  }
  return [
    ...errors,
    ...podTemplateErrors('spec.template', template),
    ...lastingErrors('spec.template', template, 'ReplicationController'),
  ]
}
