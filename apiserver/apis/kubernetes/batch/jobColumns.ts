import type { ApiObject } from '../../../meta/types.ts'
import type { Column } from '../../../registry/resource.ts'
import { ageColumn, humanDuration, nameColumn } from '../../../registry/table.ts'
import { templateColumns } from '../apps/workloadColumns.ts'
import { cellColumn } from '../../columns.ts'
import type { JobStatus } from '../shapes/batchV1.ts'
import { jobSpec } from './jobSpec.ts'

/** Columns of job tables. Source: observed kubectl output. */
export const jobColumns: readonly Column[] = [
  nameColumn,
  cellColumn('Status', 'Status of the job.', statusText),
  cellColumn('Completions', 'Successful pods and required completions.', completionsText),
  cellColumn('Duration', 'Time that the job has run.', durationText),
  ageColumn,
  ...templateColumns,
]

function statusOf(object: ApiObject): JobStatus {
  // Guaranteed by the schema.
  return object['status'] ?? {}
}

/** Conditions shown; the first true one is used. */
const shown = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']

function statusText(object: ApiObject): string {
  const { conditions = [] } = statusOf(object)
  const holds = (type: string) =>
    conditions.some((one) => one.type === type && one.status === 'True')
  const found = shown.find(holds)
  if (found !== undefined) return found
  return object.metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating'
}

function completionsText(object: ApiObject): string {
  const { completions, parallelism = 0 } = jobSpec(object)
  const { succeeded = 0 } = statusOf(object)
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function durationText(object: ApiObject, nowMs: number): string {
  const { startTime, completionTime } = statusOf(object)
  if (startTime === undefined) return ''
  const end = completionTime === undefined ? nowMs : Date.parse(completionTime)
  return humanDuration(end - Date.parse(startTime))
}
