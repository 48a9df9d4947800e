import {
  duplicateField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { statusOf } from '../apps/workload.ts'
import { countErrors } from '../apps/workloadRules.ts'
import { isSame } from '../../fieldChecks.ts'
import type { JobSpec, JobStatus } from '../shapes/batchV1.ts'
import { commonIndex, countIndexes } from './jobIndexes.ts'
import { lastingErrors } from './jobLastingRules.ts'
import { isIndexed, jobSpec } from './jobSpec.ts'
import { holds, refusedConditions, type Change } from './jobStatus.ts'

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating']
const finished = ['Complete', 'Failed']

/**
 * Errors for a changed status. A rule is only checked if a field it depends on changes, so that an
 * existing error does not block other changes.
 * Source: Kubernetes API reference, JobStatus v1; observed answers.
 */
export function jobStatusErrors(object: ApiObject, before: ApiObject): FieldError[] {
  const [after, earlier] = [statusOf(object), statusOf(before)]
  const [next, old]: [JobStatus, JobStatus] = [after, earlier]
  const changed = (...names: string[]) =>
    names.some((name) =>
      /^[A-Z]/.test(name)
        ? holds(next, name) !== holds(old, name)
        : !isSame(after[name], earlier[name]),
    )
  const change = { spec: jobSpec(object), next, old, changed }
  return [
    ...countErrors(next, counts),
    ...podErrors(next),
    ...conditionErrors(change),
    ...completionErrors(change),
    ...finishedErrors(change),
    ...indexErrors(change),
    ...lastingErrors(change),
  ]
}

/** Mutually exclusive conditions, checked when one of them changes, or always. */
const apart: readonly (readonly [
  first: string,
  second: string,
  isAlways: boolean,
  text: string,
])[] = [
  ['Complete', 'Failed', false, 'cannot set Complete=True and Failed=true conditions'],
  [
    'Complete',
    'FailureTarget',
    false,
    'cannot set Complete=True and FailureTarget=true conditions',
  ],
  [
    'SuccessCriteriaMet',
    'Failed',
    true,
    'cannot set SuccessCriteriaMet=True and Failed=true conditions',
  ],
  [
    'SuccessCriteriaMet',
    'FailureTarget',
    true,
    'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  ],
]

/** Conditions that require another one. */
const together: readonly (readonly [one: string, needed: string, changed: string, text: string])[] =
  [
    [
      'Failed',
      'FailureTarget',
      'failedIndexes',
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      'Complete',
      'SuccessCriteriaMet',
      'SuccessCriteriaMet',
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
  ]

function conditionErrors({ spec, next, changed }: Change): FieldError[] {
  const both = apart.filter(
    ([first, second, isAlways]) =>
      (isAlways || changed(first, second)) && holds(next, first) && holds(next, second),
  )
  const alone = together.filter(
    ([one, needed, other]) => changed(one, other) && holds(next, one) && !holds(next, needed),
  )
  const details = [...both, ...alone].map(([, , , text]) => text)
  const isUnmet = holds(next, 'Complete') && !holds(next, 'SuccessCriteriaMet')
  if (spec.successPolicy !== undefined && isUnmet) {
    details.push(
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    )
  }
  return details.map(refusedConditions)
}

function completionErrors({ next, changed }: Change): FieldError[] {
  const { completionTime: end, startTime: start } = next
  const path = 'status.completionTime'
  const isComplete = holds(next, 'Complete')
  const errors: FieldError[] = []
  if (changed('Complete', 'completionTime') && end !== undefined && !isComplete) {
    const detail = 'cannot set completionTime when there is no Complete=True condition'
    errors.push(invalidField(path, end, detail))
  }
  if (changed('Complete', 'completionTime') && end === undefined && isComplete) {
    errors.push(requiredField(path, 'completionTime is required for Complete jobs'))
  }
  const isTold = start !== undefined && end !== undefined
  const isBefore = isTold && Date.parse(end) < Date.parse(start)
  if (changed('startTime', 'completionTime') && isBefore) {
    errors.push(invalidField(path, end, 'must be equal to or after `startTime`'))
  }
  return errors
}

/** Errors for jobs marked as finished while they still run. */
function finishedErrors(change: Change): FieldError[] {
  const { next, old, changed } = change
  const { active = 0, ready } = next
  const isOver = finished.some((type) => holds(next, type))
  const isNew = isOver !== finished.some((type) => holds(old, type))
  const asked = (field: string) => isOver && (isNew || changed(field))
  const isMore = changed('ready', 'active') && ready !== undefined && ready > active
  return [
    ...(asked('active') ? noneLeft('active', active, 'active>0 is invalid for finished job') : []),
    ...(asked('startTime') ? startErrors(change) : []),
    ...(asked('uncountedTerminatedPods') ? uncountedErrors(next) : []),
    ...(asked('terminating')
      ? noneLeft('terminating', next.terminating ?? 0, 'terminating>0 is invalid for finished job')
      : []),
    ...(isMore
      ? [invalidField('status.ready', ready, 'cannot set more ready pods than active')]
      : []),
  ]
}

/** Errors for uncounted pods: each is counted once, by its uid. */
function podErrors({ uncountedTerminatedPods: pods }: JobStatus): FieldError[] {
  const seen = new Set<unknown>()
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods?.[list] ?? []).flatMap((uid, index) => {
      const path = `status.uncountedTerminatedPods.${list}[${index}]`
      if (uid === '') return [invalidField(path, uid, 'must not be empty')]
      if (seen.has(uid)) return [duplicateField(path, uid)]
      seen.add(uid)
      return []
    }),
  )
}

function noneLeft(field: string, count: number, detail: string): FieldError[] {
  return count > 0 ? [invalidField(`status.${field}`, count, detail)] : []
}

/**
 * Errors for the start time, which a finished job needs unless it was suspended and had nothing to
 * do.
 */
function startErrors({ spec, next }: Change): FieldError[] {
  const isNeverRun = spec.suspend === true && spec.completions === 0
  if (next.startTime !== undefined || isNeverRun) return []
  return [requiredField('status.startTime', 'startTime is required for finished job')]
}

function uncountedErrors({ uncountedTerminatedPods: pods }: JobStatus): FieldError[] {
  const count = (pods?.succeeded ?? []).length + (pods?.failed ?? []).length
  if (count === 0) return []
  const detail = 'must be empty for finished job'
  return [invalidField('status.uncountedTerminatedPods', pods, detail)]
}

function indexErrors({ spec, next, old, changed }: Change): FieldError[] {
  const { completedIndexes = '', failedIndexes } = next
  const errors: FieldError[] = []
  if (changed('completedIndexes')) {
    const path = 'status.completedIndexes'
    errors.push(...formatErrors(path, completedIndexes, spec))
    if (completedIndexes !== '' && !isIndexed(spec)) {
      const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
      errors.push(invalidField(path, completedIndexes, detail))
    }
  }
  if (changed('failedIndexes') && failedIndexes !== undefined) {
    const path = 'status.failedIndexes'
    if (spec.backoffLimitPerIndex !== undefined) {
      errors.push(...formatErrors(path, failedIndexes, spec))
    } else {
      const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
      errors.push(invalidField(path, failedIndexes, detail))
    }
  }
  return [...errors, ...overlapErrors({ spec, next, old, changed })]
}

/** Errors for indexes that both succeeded and failed. */
function overlapErrors({ spec, next, changed }: Change): FieldError[] {
  const { completedIndexes = '', failedIndexes = '' } = next
  if (!changed('completedIndexes', 'failedIndexes') || spec.completions === undefined) return []
  if (completedIndexes === '' || failedIndexes === '' || !isIndexed(spec)) return []
  const index = commonIndex(completedIndexes, failedIndexes, spec.completions)
  if (index === undefined) return []
  const detail = `failedIndexes and completedIndexes overlap at index: ${index}`
  return [invalidField('status.failedIndexes', failedIndexes, detail)]
}

function formatErrors(path: string, indexes: string, { completions }: JobSpec): FieldError[] {
  const counted = completions === undefined ? 0 : countIndexes(indexes, completions)
  if (typeof counted === 'number') return []
  return [invalidField(path, indexes, `error parsing ${path.split('.')[1]}: ${counted}`)]
}
