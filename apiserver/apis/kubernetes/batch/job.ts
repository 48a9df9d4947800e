import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { refusedJobLabel } from '../fieldLabels.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { fill, fillMissing } from '../../fill.ts'
import { podNameWarnings, warnsOfTemplate } from '../apps/templateRules.ts'
import { podSpecIn } from '../apps/workload.ts'
import type { JobSpec } from '../shapes/batchV1.ts'
import { jobColumns } from './jobColumns.ts'
import { jobErrors, jobUpdateErrors } from './jobObjectRules.ts'
import { selectOwnPods } from './jobSelection.ts'
import { jobSpec } from './jobSpec.ts'
import { jobStatusErrors } from './jobStatusRules.ts'

const deletionWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

/** Definition of the Job kind, which is only stored. Source: Kubernetes API reference, Job v1. */
export function jobResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    kind: 'Job',
    namespaced: true,
    categories: ['all'],
    description: 'Job runs pods until a number of them have succeeded.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      deletion: { propagation: 'orphan', warning: deletionWarning },
      setDefaults,
      prepareForCreate: selectOwnPods,
      validate: jobErrors,
      ...warnsOfTemplate('spec.template', { before: podNameWarnings }),
      validateUpdate: jobUpdateErrors,
    },
    subresources: [statusSubresource(jobStatusErrors, { prepareForUpdate: takeLabels })],
    refusedField: refusedJobLabel,
    selectableFields: {
      'status.successful': (object) =>
        String((object['status'] as { succeeded?: number } | undefined)?.succeeded ?? 0),
    },
    columns: jobColumns,
  })
}

/** Sets defaults in the conditions of a failure policy. */
export function setFailureDefaults({ podFailurePolicy }: JobSpec): void {
  for (const { onPodConditions = [] } of podFailurePolicy?.rules ?? []) {
    for (const pattern of onPodConditions) fill(pattern, { status: 'True' })
  }
}

function setDefaults(object: ApiObject): void {
  const spec = jobSpec(object)
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  const isCountedEach = spec.backoffLimitPerIndex !== undefined
  fillMissing(spec, {
    parallelism: 1,
    backoffLimit: isCountedEach ? 2147483647 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  })
  setFailureDefaults(spec)
  takeLabels(object)
  setPodSpecDefaults(podSpecIn(spec.template))
}

/** Copies the labels of the template to a job without labels. */
function takeLabels({ metadata, spec }: ApiObject): void {
  const labels = (spec as JobSpec | undefined)?.template?.metadata?.labels
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) {
    metadata.labels = { ...labels }
  }
}
