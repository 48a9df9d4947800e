import type { ApiObject } from '../../meta/types.ts'
import type { WorkloadSpec } from '../apps/workload.ts'

export interface JobSpec extends WorkloadSpec {
  parallelism?: number
  completions?: number
  activeDeadlineSeconds?: number
  backoffLimit?: number
  backoffLimitPerIndex?: number
  manualSelector?: boolean
  completionMode?: string
  suspend?: boolean
  podFailurePolicy?: unknown
  podReplacementPolicy?: string
  ttlSecondsAfterFinished?: number
}

export function jobSpec(object: ApiObject): JobSpec {
  // The schema says what the spec holds, and the store gives every object one.
  return (object['spec'] ?? {}) as JobSpec
}
