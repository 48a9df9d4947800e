import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { refusedJobLabel } from '../fieldLabels.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { fill } from '../fill.ts'
import { podSpecIn } from '../apps/workload.ts'
import { jobColumns } from './jobColumns.ts'
import { jobErrors, jobUpdateErrors } from './jobRules.ts'
import { jobSpec } from './jobSpec.ts'

const prefix = 'batch.kubernetes.io/'

/** Stored only. Source: Kubernetes API reference, Job v1. */
export function jobResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'batch',
    version: 'v1',
    plural: 'jobs',
    kind: 'Job',
    namespaced: true,
    categories: ['all'],
    description: 'Job runs pods until a number of them succeeded.',
    strategy: {
      generation: 'spec',
      garbageCollection: 'orphan',
      setDefaults,
      prepareForCreate: selectOwnPods,
      validate: (object) => jobErrors('', jobSpec(object), true),
      validateUpdate: jobUpdateErrors,
    },
    subresources: [statusSubresource()],
    refusedField: refusedJobLabel,
    selectableFields: {
      'status.successful': (object) =>
        String((object['status'] as { succeeded?: number } | undefined)?.succeeded ?? 0),
    },
    columns: jobColumns,
  })
}

function setDefaults(object: ApiObject): void {
  const spec = jobSpec(object)
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  const isCountedEach = spec.backoffLimitPerIndex !== undefined
  fill(spec, {
    parallelism: 1,
    backoffLimit: isCountedEach ? 2147483647 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed',
  })
  const labels = spec.template?.metadata?.labels
  if (labels !== undefined) fill(object.metadata, { labels: { ...labels } })
  setPodSpecDefaults(podSpecIn(spec.template))
}

/** A job selects the pods with its UID, unless it says that it selects others. */
function selectOwnPods(object: ApiObject): void {
  const spec = jobSpec(object)
  if (spec.manualSelector === true) return
  const { uid = '', name = '' } = object.metadata
  const own = {
    [`${prefix}controller-uid`]: uid,
    [`${prefix}job-name`]: name,
    'controller-uid': uid,
    'job-name': name,
  }
  const template = (spec.template ??= {})
  const metadata = (template.metadata ??= {})
  metadata.labels = { ...metadata.labels, ...own }
  spec.selector ??= { matchLabels: { [`${prefix}controller-uid`]: uid } }
}
