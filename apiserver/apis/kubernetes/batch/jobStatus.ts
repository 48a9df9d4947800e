import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { JobSpec, JobStatus } from '../shapes/batchV1.ts'

/** Status before and after a write, with the spec of the job. */
export interface Change {
  spec: JobSpec
  next: JobStatus
  old: JobStatus
  /** Reports whether one of the conditions or fields changed. */
  changed: (...names: string[]) => boolean
}

/** Reports whether a condition is true. */
export function holds({ conditions = [] }: JobStatus, type: string): boolean {
  return conditions.some((one) => one.type === type && one.status === 'True')
}

export function refusedConditions(detail: string): FieldError {
  return {
    reason: 'FieldValueInvalid',
    field: 'status.conditions',
    message: `Invalid value: ${detail}`,
  }
}
