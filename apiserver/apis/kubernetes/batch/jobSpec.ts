import type { ApiObject } from '../../../meta/types.ts'
import type { WorkloadSpec } from '../apps/workload.ts'

export interface JobSpec extends WorkloadSpec {
  parallelism?: number
  completions?: number
  activeDeadlineSeconds?: number
  backoffLimit?: number
  backoffLimitPerIndex?: number
  maxFailedIndexes?: number
  manualSelector?: boolean
  managedBy?: string
  completionMode?: string
  suspend?: boolean
  podFailurePolicy?: { rules?: FailureRule[] | null }
  podReplacementPolicy?: string
  successPolicy?: { rules?: SuccessRule[] | null }
  ttlSecondsAfterFinished?: number
}

export interface FailureRule {
  action?: string
  onExitCodes?: { containerName?: string; operator?: string; values?: number[] | null }
  onPodConditions?: { type?: string; status?: string }[]
}

export interface SuccessRule {
  succeededIndexes?: string
  succeededCount?: number
}

export function jobSpec(object: ApiObject): JobSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return (object['spec'] ?? {}) as JobSpec
}

export const isIndexed = ({ completionMode }: JobSpec) => completionMode === 'Indexed'
