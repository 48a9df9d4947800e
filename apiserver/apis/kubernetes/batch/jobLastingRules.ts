import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { isIndexed } from './jobSpec.ts'
import { holds, refusedConditions, type Change } from './jobStatus.ts'

/** Errors for reverted progress: finished jobs stay finished, and counts do not fall. */
export function lastingErrors(change: Change): FieldError[] {
  const { next, old } = change
  return [
    ...['Failed', 'Complete', 'FailureTarget']
      .filter((type) => holds(old, type) && !holds(next, type))
      .map((type) => refusedConditions(`cannot disable the terminal ${type}=True condition`)),
    ...counterErrors(change),
    ...timeErrors(change),
    ...successErrors(change),
  ]
}

/** Errors for counters. Indexed jobs that shrink drop successes beyond their new end. */
function counterErrors({ spec, next, old }: Change): FieldError[] {
  const isElastic = isIndexed(spec) && spec.completions === spec.parallelism
  const fields = ['failed', ...(isElastic ? [] : ['succeeded'])] as ('failed' | 'succeeded')[]
  return fields
    .filter((field) => (next[field] ?? 0) < (old[field] ?? 0))
    .map((field) =>
      invalidField(`status.${field}`, next[field] ?? 0, `cannot decrease the ${field} counter`),
    )
}

function timeErrors({ spec, next, old, changed }: Change): FieldError[] {
  const { completionTime: end } = next
  const errors: FieldError[] = []
  if (end !== undefined && old.completionTime !== undefined && end !== old.completionTime) {
    errors.push(invalidField('status.completionTime', end, 'field is immutable'))
  }
  const resumes = holds(old, 'Suspended') && !holds(next, 'Suspended')
  const isMoved = old.startTime !== undefined && changed('startTime')
  if (isMoved && !resumes && spec.suspend !== true) {
    const detail = 'startTime cannot be removed for unsuspended job'
    errors.push(requiredField('status.startTime', detail))
  }
  return errors
}

function successErrors({ next, old }: Change): FieldError[] {
  const met = 'SuccessCriteriaMet'
  if (holds(old, met) === holds(next, met)) return []
  if (holds(old, met)) {
    return [refusedConditions('cannot disable the SuccessCriteriaMet=True condition')]
  }
  if (!holds(old, 'Complete')) return []
  const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'
  return [refusedConditions(detail)]
}
