import { withSortedNames } from '../../../meta/json/sortedMembers.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { isSame } from '../../fieldChecks.ts'
import { jobSpec } from './jobSpec.ts'

const prefix = 'batch.kubernetes.io/'

/** Labels of a job's pods, in the order of the checks. */
export function ownLabels({
  metadata: { uid = '', name = '' },
}: ApiObject): Record<string, string> {
  return {
    'controller-uid': uid,
    'job-name': name,
    [`${prefix}controller-uid`]: uid,
    [`${prefix}job-name`]: name,
  }
}

/**
 * Sets the selector: a job selects the pods with its UID unless it has its own selector; contradictions are refused
 * later. Labels copied from the template include the added ones.
 */
export function selectOwnPods(object: ApiObject): void {
  const spec = jobSpec(object)
  if (spec.manualSelector === true) return
  const template = (spec.template ??= {})
  const metadata = (template.metadata ??= {})
  const given = metadata.labels ?? {}
  const labels: Record<string, string> = { ...ownLabels(object), ...given }
  metadata.labels = withSortedNames(labels, (name) => labels[name] ?? '')
  if (isSame(object.metadata.labels ?? {}, given)) {
    object.metadata.labels = { ...metadata.labels }
  }
  const selector = (spec.selector ??= {})
  const key = `${prefix}controller-uid`
  const { matchLabels = {} } = selector
  selector.matchLabels = { ...matchLabels, [key]: matchLabels[key] ?? object.metadata.uid ?? '' }
}
