import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { JobSpec } from './jobSpec.ts'

export interface JobStatus extends Readonly<Record<string, unknown>> {
  conditions?: readonly { type?: string; status?: string }[]
  startTime?: string
  completionTime?: string
  active?: number
  ready?: number
  terminating?: number
  succeeded?: number
  failed?: number
  completedIndexes?: string
  failedIndexes?: string
  uncountedTerminatedPods?: { succeeded?: unknown[]; failed?: unknown[] }
}

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
